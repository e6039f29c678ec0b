; A function that may call itself stays a function.
define void @kernel() {
  %x = alloca i32
  store i32 4, ptr %x
  call void @count_down(i64 0, ptr %x)
  ret void
}
define void @count_down(i64 %lsp, ptr %x) {
  %n = load i32, ptr %x
  %done = icmp eq i32 %n, 0
  br i1 %done, label %end, label %more
more:
  %less = sub i32 %n, 1
  store i32 %less, ptr %x
  call void @count_down(i64 %lsp, ptr %x)
  br label %end
end:
  ret void
}

; stays
