; The store (kind 1) is disjoint with what other threads access: its comparison goes, and it is none that a load, which
; is not, could race with.
; always acts
define i32 @region(ptr %block, i32 %warp, ptr %frame, ptr %common, ptr %next) {
entry:
  %asks = call i1 @ww.race.question(i32 1, i1 true)
  br i1 %asks, label %compare, label %load

compare:
  store i32 1, ptr %block, align 4
  br label %load

load:
  %also = call i1 @ww.race.question(i32 0, i1 false)
  br i1 %also, label %compare2, label %done

compare2:
  store i32 2, ptr %block, align 4
  br label %done

done:
  ret i32 1073741823
}
declare i1 @ww.race.question(i32, i1)

; becomes
define i32 @region(ptr %block, i32 %warp, ptr %frame, ptr %common, ptr %next) {
entry:
  br label %load

load:
  br label %done

done:
  ret i32 1073741823
}
