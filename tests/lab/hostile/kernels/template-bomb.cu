// verdict: does-not-compile
// says: the compiler was ended
// within: 20
// Templates that make each other without end.
template <int n, unsigned m> struct Bomb { static constexpr unsigned value = Bomb<n - 1, 2 * m>::value + Bomb<n - 1, 2 * m + 1>::value; };
template <unsigned m> struct Bomb<0, m> { static constexpr unsigned value = m; };
extern "C" __global__ void add_ten(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] + Bomb<28, 1>::value;
}
