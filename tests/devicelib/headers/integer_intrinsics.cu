// Integer intrinsics, dot products, and the SIMD-within-a-word functions.
// has: popc.b32
// has: dp4a
// has: prmt.b32
__global__ void scalar(int* i, unsigned* u, long long* l, unsigned long long* ul) {
  i[0] = __popc(u[1]) + __popcll(ul[1]) + __clz(i[1]) + __clzll(l[1]) + __ffs(i[2]) + __ffsll(l[2]) + __mul24(i[1], i[2]) + __mulhi(i[3], i[4]) + __hadd(i[1], i[2]) + __rhadd(i[1], i[2]);
  u[0] = __brev(u[1]) + __byte_perm(u[1], u[2], 0x3210) + __umul24(u[1], u[2]) + __umulhi(u[3], u[4]) + __uhadd(u[1], u[2]) + __urhadd(u[1], u[2]) + __sad(i[1], i[2], u[3]) + __usad(u[1], u[2], u[3]);
  l[0] = __mul64hi(l[1], l[2]), ul[0] = __umul64hi(ul[1], ul[2]) + __brevll(ul[3]);
  u[5] = __funnelshift_l(u[1], u[2], u[3]) + __funnelshift_r(u[1], u[2], u[3]) + __funnelshift_lc(u[1], u[2], u[3]) + __funnelshift_rc(u[1], u[2], u[3]);
  i[5] = __dp4a(i[1], i[2], i[3]) + __dp2a_lo(i[1], i[2], i[3]) + __dp2a_hi(i[1], i[2], i[3]) + __dp4a(char4{1, 2, 3, 4}, char4{5, 6, 7, 8}, i[4]);
  u[6] = __dp4a(u[1], u[2], u[3]) + __dp2a_lo(u[1], u[2], u[3]) + __dp2a_hi(u[1], u[2], u[3]);
  i[7] = min(i[1], i[2]) + max(u[1], i[2]) + min(l[1], l[2]) + max(ul[1], ul[2]) + abs(i[3]) + umin(u[1], u[2]) + llmax(l[1], l[2]);
}
__global__ void packed(unsigned* u) {
  unsigned a = u[0], b = u[1], r = 0;
  r += __vabs2(a); r += __vabs4(a); r += __vabsss2(a); r += __vabsss4(a); r += __vneg2(a); r += __vneg4(a); r += __vnegss2(a); r += __vnegss4(a);
  r += __vabsdiffs2(a, b); r += __vabsdiffs4(a, b); r += __vabsdiffu2(a, b); r += __vabsdiffu4(a, b); r += __vadd2(a, b); r += __vadd4(a, b); r += __vaddss2(a, b); r += __vaddss4(a, b); r += __vaddus2(a, b); r += __vaddus4(a, b); r += __vavgs2(a, b); r += __vavgs4(a, b); r += __vavgu2(a, b); r += __vavgu4(a, b); r += __vcmpeq2(a, b); r += __vcmpeq4(a, b); r += __vcmpges2(a, b); r += __vcmpges4(a, b); r += __vcmpgeu2(a, b); r += __vcmpgeu4(a, b); r += __vcmpgts2(a, b); r += __vcmpgts4(a, b); r += __vcmpgtu2(a, b); r += __vcmpgtu4(a, b); r += __vcmples2(a, b); r += __vcmples4(a, b); r += __vcmpleu2(a, b); r += __vcmpleu4(a, b); r += __vcmplts2(a, b); r += __vcmplts4(a, b); r += __vcmpltu2(a, b); r += __vcmpltu4(a, b); r += __vcmpne2(a, b); r += __vcmpne4(a, b); r += __vhaddu2(a, b); r += __vhaddu4(a, b); r += __vmaxs2(a, b); r += __vmaxs4(a, b); r += __vmaxu2(a, b); r += __vmaxu4(a, b); r += __vmins2(a, b); r += __vmins4(a, b); r += __vminu2(a, b); r += __vminu4(a, b); r += __vsads2(a, b); r += __vsads4(a, b); r += __vsadu2(a, b); r += __vsadu4(a, b); r += __vseteq2(a, b); r += __vseteq4(a, b); r += __vsetges2(a, b); r += __vsetges4(a, b); r += __vsetgeu2(a, b); r += __vsetgeu4(a, b); r += __vsetgts2(a, b); r += __vsetgts4(a, b); r += __vsetgtu2(a, b); r += __vsetgtu4(a, b); r += __vsetles2(a, b); r += __vsetles4(a, b); r += __vsetleu2(a, b); r += __vsetleu4(a, b); r += __vsetlts2(a, b); r += __vsetlts4(a, b); r += __vsetltu2(a, b); r += __vsetltu4(a, b); r += __vsetne2(a, b); r += __vsetne4(a, b); r += __vsub2(a, b); r += __vsub4(a, b); r += __vsubss2(a, b); r += __vsubss4(a, b); r += __vsubus2(a, b); r += __vsubus4(a, b);
  u[2] = r;
}
