; The index is a field of the thread's context, a barrier a call of the engine, and global memory lies behind the alias.
;; block = 64
define void @kernel() {
  %t = call i32 @ww.tid.x()
  %at = zext i32 %t to i64
  %p = inttoptr i64 %at to ptr addrspace(1)
  store i32 %t, ptr addrspace(1) %p, align 4
  call void @ww.barrier.sync(i32 0, i32 0)
  ret void
}
declare i32 @ww.tid.x()
declare void @ww.barrier.sync(i32, i32) convergent

; becomes
define void @kernel.thread(ptr %thread) {
  %1 = getelementptr i8, ptr %thread, i64 0
  %block = load ptr, ptr %1, align 8, !invariant.load !0
  %2 = getelementptr i8, ptr %thread, i64 8
  %tid = load i32, ptr %2, align 4, !invariant.load !0
  %at = zext i32 %tid to i64
  %3 = add i64 %at, 70368744177664
  %4 = inttoptr i64 %3 to ptr
  store i32 %tid, ptr %4, align 4
  %5 = getelementptr i8, ptr %block, i64 40
  %services = load ptr, ptr %5, align 8, !invariant.load !0
  %6 = getelementptr i8, ptr %services, i64 120
  %7 = load ptr, ptr %6, align 8
  call void %7(ptr %thread, i32 0, i32 0, i32 0)
  ret void
}

!0 = !{}
