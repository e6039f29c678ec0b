// The built-in atomic functions are one instruction each, with the order and the scope that the program asks for.
// has: ld.acquire.sys.b32
// has: ld.relaxed.cta.b8
// has: fence.sc.gpu
// has: st.release.cluster.b64
// has: atom.acq_rel.gpu.add.f64
// has: atom.relaxed.sys.min.s64
// has: atom.acq_rel.gpu.cas.b16
// has: atom.release.sys.exch.b128
// lacks: call
struct alignas(16) Sixteen { int v[4]; };
__global__ void all(int* i, unsigned char* b, unsigned long* l, double* d, long long* m, short* s, Sixteen* w) {
  i[1] = __nv_atomic_load_n(i, __NV_ATOMIC_ACQUIRE);
  i[2] = __nv_atomic_load_n(i, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  i[3] = __nv_atomic_load_n(b, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_THREAD);
  __nv_atomic_store_n(l, 5, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_CLUSTER);
  d[1] = __nv_atomic_fetch_sub(d, 7, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_min(m, 7, __NV_ATOMIC_RELAXED);
  short expected = 1;
  i[4] = __nv_atomic_compare_exchange_n(s, &expected, 3, true, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_exchange(w, w + 1, w + 2, __NV_ATOMIC_RELEASE);
}
