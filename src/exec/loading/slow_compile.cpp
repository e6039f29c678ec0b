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
  // Of so few it takes a fraction of a second where processors are free.
  constexpr size_t kFew = 1'500;
  fmt::print(
      stderr, "warpwise: `{}` is still being compiled: {}\n", kernel_,
      instructions_ < kFew
          ? fmt::format("it has only {} PTX instructions, so this machine is busy with other work", instructions_)
          : fmt::format("it has {} PTX instructions (`warpwise run --time-passes` tells what takes long)",
                        instructions_));
}

}  // namespace warpwise::exec
