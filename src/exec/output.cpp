#include "exec/output.h"

#include <cstdio>

namespace warpwise::exec {

Output::Output() : sink_([](std::string_view text) { fwrite(text.data(), 1, text.size(), stdout); }) {}

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
