; A processor with arithmetic on halves compares them itself.
;; cpu = sapphirerapids
define <8 x i1> @f(<8 x half> %a, <8 x half> %b) {
  %less = fcmp olt <8 x half> %a, %b
  ret <8 x i1> %less
}

; stays
