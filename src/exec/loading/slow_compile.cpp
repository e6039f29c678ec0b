#include "exec/loading/slow_compile.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace warpwise::exec {

SlowCompile::SlowCompile(std::string kernel, size_t instructions, std::chrono::milliseconds after)
    : kernel_(std::move(kernel)), instructions_(instructions), watcher_([this, after] { watch(after); }) {}

SlowCompile::~SlowCompile() {
  {
    std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_one();
  watcher_.join();
  if (!announced_) return;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun_;
  fmt::print(stderr, "warpwise: `{}` is compiled, after {:.0f} s\n", kernel_, took.count());
}

void SlowCompile::watch(std::chrono::milliseconds after) {
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, after, [this] { return done_; })) return;
  announced_ = true;
  fmt::print(
      stderr,
      "warpwise: `{}` is still being compiled: it has {} PTX instructions (--time-passes tells what takes long)\n",
      kernel_, instructions_);
}

}  // namespace warpwise::exec
