; A switch becomes branches, and two returns become one. The address is computed beside each access.
define void @kernel(i32 %n, i64 %address) {
entry:
  %p = inttoptr i64 %address to ptr addrspace(1)
  switch i32 %n, label %other [
    i32 0, label %zero
    i32 1, label %one
  ]
zero:
  store i32 10, ptr addrspace(1) %p
  ret void
one:
  store i32 11, ptr addrspace(1) %p
  ret void
other:
  ret void
}

; becomes
define void @kernel(i32 %n, i64 %address) {
entry:
  br label %NodeBlock

NodeBlock:
  %Pivot = icmp slt i32 %n, 1
  br i1 %Pivot, label %LeafBlock, label %LeafBlock1

LeafBlock1:
  %SwitchLeaf2 = icmp eq i32 %n, 1
  br i1 %SwitchLeaf2, label %one, label %other

LeafBlock:
  %SwitchLeaf = icmp eq i32 %n, 0
  br i1 %SwitchLeaf, label %zero, label %other

zero:
  %0 = inttoptr i64 %address to ptr addrspace(1)
  store i32 10, ptr addrspace(1) %0, align 4
  br label %UnifiedReturnBlock

one:
  %1 = inttoptr i64 %address to ptr addrspace(1)
  store i32 11, ptr addrspace(1) %1, align 4
  br label %UnifiedReturnBlock

other:
  br label %UnifiedReturnBlock

UnifiedReturnBlock:
  ret void
}
