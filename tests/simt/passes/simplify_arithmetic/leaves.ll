; Nothing is hoisted or sunk across branches: both sides keep their products, and lanes reconverge where the program
; says so.
define void @kernel(i32 %a, i32 %b, i1 %c, ptr addrspace(1) %p) {
  br i1 %c, label %then, label %else

then:
  %x = mul i32 %a, %b
  store i32 %x, ptr addrspace(1) %p, align 4
  br label %end

else:
  %y = mul i32 %a, %b
  store volatile i32 %y, ptr addrspace(1) %p, align 4
  br label %end

end:
  ret void
}

; stays
