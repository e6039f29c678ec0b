#include <cstring>

#include "hand/warp.h"

namespace warpwise::bench {
namespace {

// 14 bits from the table and one step of Newton's: within two units in the last place, as rsqrtf.
__m512 rsqrt(__m512 x) {
  __m512 y = _mm512_rsqrt14_ps(x);
  __m512 error = _mm512_fnmadd_ps(_mm512_mul_ps(x, y), y, _mm512_set1_ps(1));
  return _mm512_fmadd_ps(_mm512_mul_ps(y, _mm512_set1_ps(0.5f)), error, y);
}
Floats rsqrt(Floats x) { return {rsqrt(x.low), rsqrt(x.high)}; }

struct Float4 {
  float x, y, z, w;
};

// One coordinate of a warp's 32 bodies.
Floats load_every_fourth(const float* p) {
  const __m512i places = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
  return {_mm512_i32gather_ps(places, p, 4), _mm512_i32gather_ps(places, p + 64, 4)};
}

}  // namespace

void hand_n_body(const Launch& launch, uint64_t first, uint64_t last) {
  auto bodies = launch.argument<const Float4*>(0);
  auto accelerations = launch.argument<Float4*>(1);
  int n = launch.argument<int>(2);
  Floats softening = all(launch.argument<float>(3));
  alignas(64) Float4 tile[256];
  alignas(64) float ax[256], ay[256], az[256];
  for (uint64_t block = first; block < last; ++block) {
    const Float4* own = bodies + block * 256;
    for (int t = 0; t < 256; t += kWarp) store(ax + t, all(0)), store(ay + t, all(0)), store(az + t, all(0));
    for (int start = 0; start < n; start += 256) {
      std::memcpy(tile, bodies + start, sizeof tile);
      for (int t = 0; t < 256; t += kWarp) {
        Floats x = load_every_fourth(&own[t].x), y = load_every_fourth(&own[t].y), z = load_every_fourth(&own[t].z);
        Floats sx = load(ax + t), sy = load(ay + t), sz = load(az + t);
        for (const Float4& other : tile) {
          Floats dx = all(other.x) - x, dy = all(other.y) - y, dz = all(other.z) - z;
          Floats inverse = rsqrt(fma(dz, dz, fma(dx, dx, dy * dy)) + softening);
          Floats pull = all(other.w) * inverse * inverse * inverse;
          sx = fma(dx, pull, sx), sy = fma(dy, pull, sy), sz = fma(dz, pull, sz);
        }
        store(ax + t, sx), store(ay + t, sy), store(az + t, sz);
      }
    }
    for (int t = 0; t < 256; ++t) accelerations[block * 256 + t] = {ax[t], ay[t], az[t], 0};
  }
}

}  // namespace warpwise::bench
