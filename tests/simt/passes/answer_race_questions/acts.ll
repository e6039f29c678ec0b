; Nothing in the region writes shared memory: the load (kind 0) can race with nothing, and its comparison goes.
define i32 @region(ptr %block, i32 %warp, ptr %frame, ptr %common, ptr %next) {
entry:
  %asks = call i1 @ww.race.question(i32 0, i1 false)
  br i1 %asks, label %compare, label %done

compare:
  store i32 1, ptr %block, align 4
  br label %done

done:
  ret i32 1073741823
}
declare i1 @ww.race.question(i32, i1)

; becomes
define i32 @region(ptr %block, i32 %warp, ptr %frame, ptr %common, ptr %next) {
entry:
  br label %done

done:
  ret i32 1073741823
}
