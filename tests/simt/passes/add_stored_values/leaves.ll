; A store that is not deferred, and an event of another kind before one.
define void @kernel(i64 %at, i32 %word) {
entry:
  %p = inttoptr i64 %at to ptr addrspace(1)
  call void @ww.event(i1 true, i32 event(CommitStores), i64 0, i64 0)
  store i32 %word, ptr addrspace(1) %p, align 4
  ret void
}
declare void @ww.event(i1, i32, i64, i64)

; stays
