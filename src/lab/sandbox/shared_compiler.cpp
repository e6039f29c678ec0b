#include "lab/sandbox/shared_compiler.h"

#include <algorithm>
#include <utility>

namespace warpwise::lab::sandbox {

namespace {

// Of processor time, for all runs of both builds: no more than for those of one (kMostSecondsTogether of compiler.cpp),
// so that a source without end has its verdict no later.
constexpr double kMostSeconds = 5;

}  // namespace

SharedCompiler::Place::Place(SharedCompiler& shared, bool begins) : shared_(shared), begins_(begins) {
  std::lock_guard lock(shared_.mutex_);
  ++shared_.places_;
}

LoadedCompiler* SharedCompiler::Place::loaded(const Job& job) {
  std::unique_lock lock(shared_.mutex_);
  if (has_left_) return nullptr;
  if (begins_ && !shared_.begun_) {
    Job all = job;
    all.writable = {folder().string()};
    all.limits.processor_seconds = std::min(all.limits.processor_seconds, kMostSeconds);
    if (auto started = LoadedCompiler::start(std::move(all), job.command[0]))
      shared_.loaded_.emplace(std::move(*started));
    shared_.begun_ = true;
    shared_.changed_.notify_all();
  }
  shared_.changed_.wait(lock, [this] { return shared_.begun_; });
  return shared_.loaded_ ? &*shared_.loaded_ : nullptr;
}

void SharedCompiler::Place::leave() {
  std::lock_guard lock(shared_.mutex_);
  if (std::exchange(has_left_, true)) return;
  shared_.begun_ |= begins_;
  if (--shared_.places_ == 0 && shared_.loaded_) shared_.loaded_->end();
  shared_.changed_.notify_all();
}

std::vector<std::string> SharedCompiler::Place::refused() {
  leave();
  std::unique_lock lock(shared_.mutex_);
  shared_.changed_.wait(lock, [this] { return shared_.places_ == 0; });
  if (shared_.loaded_)
    if (auto outcome = shared_.loaded_->finish()) shared_.refused_ = std::move(outcome->refused);
  shared_.loaded_.reset();
  return shared_.refused_;
}

}  // namespace warpwise::lab::sandbox
