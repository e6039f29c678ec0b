; A call of a device function becomes its code, and the function goes. `exit` in it ends the kernel.
define void @kernel() {
  %x = alloca i32
  store i32 4, ptr %x
  call void @halve(i64 0, ptr %x)
  %half = load i32, ptr %x
  store i32 %half, ptr addrspace(1) inttoptr (i64 4096 to ptr addrspace(1))
  ret void
}
define void @halve(i64 %lsp, ptr %x) {
  %n = load i32, ptr %x
  %odd = trunc i32 %n to i1
  br i1 %odd, label %leaves, label %goes_on
leaves:
  call void @ww.exit()
  unreachable
goes_on:
  %half = lshr i32 %n, 1
  store i32 %half, ptr %x
  ret void
}
declare void @ww.exit()

; becomes
define void @kernel() {
  %x = alloca i32, align 4
  store i32 4, ptr %x, align 4
  %n.i = load i32, ptr %x, align 4
  %odd.i = trunc i32 %n.i to i1
  br i1 %odd.i, label %leaves.i, label %halve.exit

leaves.i:
  ret void

halve.exit:
  %half.i = lshr i32 %n.i, 1
  store i32 %half.i, ptr %x, align 4
  %half = load i32, ptr %x, align 4
  store i32 %half, ptr addrspace(1) inttoptr (i64 4096 to ptr addrspace(1)), align 4
  ret void
}
