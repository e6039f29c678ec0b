// What a build with AddressSanitizer (WARPWISE_SANITIZE) costs. Limits on time and memory are meant for programs as
// people run them; in such a build, and in no other, they are wider by these factors.
#pragma once

namespace warpwise {

#ifdef __SANITIZE_ADDRESS__
inline constexpr unsigned kSlowdown = 10, kMemoryGrowth = 3;
#else
inline constexpr unsigned kSlowdown = 1, kMemoryGrowth = 1;
#endif

}  // namespace warpwise
