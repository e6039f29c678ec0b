; `alone` is called by no function that the kernel reaches, although `alone` calls itself.
define void @kernel() {
  call void @reached()
  ret void
}
define void @reached() {
  call void @reached()
  ret void
}
define void @alone() {
  call void @alone()
  ret void
}

; becomes
define void @kernel() {
  call void @reached()
  ret void
}

define void @reached() {
  call void @reached()
  ret void
}
