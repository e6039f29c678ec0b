#include "device/gpu/command_times.h"

#include <fmt/format.h>

namespace warpwise::device::gpu {

void CommandTimes::start() {
  std::lock_guard lock(mutex_);
  running_ = true;
  used_ = 0;
}

Status CommandTimes::make_scratch() {
  if (scratch_) return {};
  const size_t bytes = 2 * context_.description().properties.l2_bytes;
  if (Status status = context_.check(context_.driver().allocate(&scratch_, bytes),
                                     fmt::format("allocating {} bytes to flush the L2 cache with", bytes));
      !status.ok())
    return status;
  scratch_bytes_ = bytes;
  return {};
}

Status CommandTimes::before(CUstream stream) {
  std::lock_guard lock(mutex_);
  if (!running_) return {};
  const Driver& driver = context_.driver();
  if (Status status = make_scratch(); !status.ok()) return status;
  if (used_ == pairs_.size()) {
    Pair pair;
    if (Status status = context_.check(driver.create_event(&pair.first, 0), "making an event"); !status.ok())
      return status;
    if (Status status = context_.check(driver.create_event(&pair.last, 0), "making an event"); !status.ok()) {
      (void)driver.destroy_event(pair.first);
      return status;
    }
    pairs_.push_back(pair);
  }
  if (Status status = context_.check(driver.fill_8(scratch_, 0, scratch_bytes_, stream), "flushing the L2 cache");
      !status.ok())
    return status;
  return context_.check(driver.record_event(pairs_[used_].first, stream), "recording an event");
}

Status CommandTimes::after(CUstream stream) {
  std::lock_guard lock(mutex_);
  if (!running_) return {};
  return context_.check(context_.driver().record_event(pairs_[used_++].last, stream), "recording an event");
}

Status CommandTimes::stop(double* seconds) {
  *seconds = 0;
  if (Status status = context_.enter(); !status.ok()) return status;
  if (Status status = context_.check(context_.driver().synchronise(), "waiting for the GPU"); !status.ok())
    return status;
  std::lock_guard lock(mutex_);
  running_ = false;
  for (size_t i = 0; i < used_; ++i) {
    float milliseconds = 0;
    if (Status status =
            context_.check(context_.driver().elapsed(&milliseconds, pairs_[i].first, pairs_[i].last), "reading a time");
        !status.ok())
      return status;
    *seconds += static_cast<double>(milliseconds) * 1e-3;
  }
  return {};
}

void CommandTimes::clear() {
  std::lock_guard lock(mutex_);
  const Driver& driver = context_.driver();
  for (const Pair& pair : pairs_) {
    (void)driver.destroy_event(pair.first);
    (void)driver.destroy_event(pair.last);
  }
  if (scratch_) (void)driver.free(scratch_);
  pairs_.clear();
  running_ = false;
  scratch_ = 0;
  used_ = 0;
}

}  // namespace warpwise::device::gpu
