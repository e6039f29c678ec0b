; In independent-thread mode nothing is privatised: no flush is needed.
define void @kernel(i64 %address) {
  call void @ww.flush_sums()
  call void @ww.flush_sums.at(i64 %address)
  call void @ww.nanosleep(i32 1)
  ret void
}
declare void @ww.flush_sums()
declare void @ww.flush_sums.at(i64)
declare void @ww.nanosleep(i32)

; becomes
define void @kernel(i64 %address) {
  call void @ww.nanosleep(i32 1)
  ret void
}
