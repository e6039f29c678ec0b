; What a call gets by address stays in memory: its accesses are volatile.
define void @kernel() {
  %argument = alloca i32
  store volatile i32 1, ptr %argument
  call void @function(i64 0, ptr %argument)
  %result = load volatile i32, ptr %argument
  store i32 %result, ptr addrspace(1) inttoptr (i64 4096 to ptr addrspace(1))
  ret void
}
declare void @function(i64, ptr)

; stays
