#include "exec/services/output.h"

#include <cstdio>
#include <utility>

namespace warpwise::exec {

// Flushed, as the CUDA runtime does: a program that aborts behind a kernel leaves what it and the kernel have printed,
// in this order, in a file or a pipe, too.
Output::Output()
    : sink_([](std::string_view text) {
        fwrite(text.data(), 1, text.size(), stdout);
        fflush(stdout);
      }) {}

void Output::write(std::string_view text) {
  std::lock_guard lock(mutex_);
  if (held_) {
    waiting_ += text;
    return;
  }
  if (!waiting_.empty()) sink_(std::exchange(waiting_, {}));
  sink_(text);
}

void Output::release() {
  std::lock_guard lock(mutex_);
  if (!waiting_.empty()) sink_(std::exchange(waiting_, {}));
}

void LaunchOutput::print(uint64_t block, std::string_view text) {
  if (in_order_) {
    straight_ += text;
    if (straight_.size() >= kFlushBytes) flush();
    return;
  }
  std::lock_guard lock(mutex_);
  text_[block] += text;
}

void LaunchOutput::flush() {
  std::lock_guard lock(mutex_);
  if (!straight_.empty()) output_.write(straight_);
  straight_.clear();
  for (auto& [block, text] : text_) output_.write(text);
  text_.clear();
}

}  // namespace warpwise::exec
