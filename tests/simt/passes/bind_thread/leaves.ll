; Arithmetic stays as it is. The function itself is always another one: it takes the context of its thread.
; always acts
;; block = 64
define void @kernel() {
  %x = add i32 1, 2
  ret void
}

; becomes
define void @kernel.thread(ptr %thread) {
  %1 = getelementptr i8, ptr %thread, i64 0
  %block = load ptr, ptr %1, align 8, !invariant.load !0
  %x = add i32 1, 2
  ret void
}

!0 = !{}
