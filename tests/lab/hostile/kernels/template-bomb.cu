// verdict: does-not-compile
// says: the compiler was ended
// Templates that make each other without end.
template <int n, int m> struct Bomb { static constexpr int value = Bomb<n - 1, 2 * m>::value + Bomb<n - 1, 2 * m + 1>::value; };
template <int m> struct Bomb<0, m> { static constexpr int value = m; };
extern "C" __global__ void add_ten(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] + Bomb<28, 1>::value;
}
