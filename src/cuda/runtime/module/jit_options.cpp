#include "cuda/runtime/module/jit_options.h"

#include <algorithm>
#include <cstring>

namespace warpwise::cuda {

cudaError_t JitOptions::check() const {
  if (count_ && (!options_ || !values_)) return fail(cudaErrorInvalidValue, "the options or their values are null");
  for (unsigned i = 0; i < count_; ++i)
    if (options_[i] < 0 || options_[i] >= static_cast<int>(JitOption::Count))
      return fail(cudaErrorInvalidValue, "there is no JIT option {}", options_[i]);
  return cudaSuccess;
}

void** JitOptions::find(JitOption option) const {
  if (!options_ || !values_) return nullptr;
  for (unsigned i = 0; i < count_; ++i)
    if (options_[i] == static_cast<int>(option)) return &values_[i];
  return nullptr;
}

// On entry the size option holds the room in the buffer, on return the number of bytes written.
void JitOptions::write_log(JitOption buffer, JitOption size, std::string_view text) const {
  void** place = find(buffer);
  void** room = find(size);
  size_t bytes = room ? static_cast<unsigned>(reinterpret_cast<uintptr_t>(*room)) : 0;
  size_t written = 0;
  if (place && *place && bytes > 0) {
    size_t length = std::min(text.size(), bytes - 1);
    std::memcpy(*place, text.data(), length);
    static_cast<char*>(*place)[length] = '\0';
    if (length) written = length + 1;
  }
  if (room) *room = reinterpret_cast<void*>(written);
}

void JitOptions::report(std::string_view errors, float milliseconds) const {
  write_log(JitOption::ErrorLogBuffer, JitOption::ErrorLogBufferSizeBytes, errors);
  write_log(JitOption::InfoLogBuffer, JitOption::InfoLogBufferSizeBytes, {});
  if (void** time = find(JitOption::WallTime)) std::memcpy(time, &milliseconds, sizeof milliseconds);
}

}  // namespace warpwise::cuda
