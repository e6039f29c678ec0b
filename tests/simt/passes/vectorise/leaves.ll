; What waits for other blocks of the cluster has no vector form: the kernel is left as it is, for independent-thread
; mode.
;; block = 32
define void @kernel() {
  call void @ww.cluster.arrive()
  ret void
}
declare void @ww.cluster.arrive() convergent

; refuses: cannot be vectorised:  call void @ww.cluster.arrive()
