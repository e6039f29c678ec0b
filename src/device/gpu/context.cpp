#include "device/gpu/context.h"

#include <utility>

namespace warpwise::device::gpu {

Status Context::take() {
  if (Status status = check(driver_->retain_context(&context_, device()), "taking the GPU's context"); !status.ok()) {
    context_ = nullptr;
    return status;
  }
  return enter();
}

void Context::give_back() {
  if (!context_) return;
  (void)driver_->set_context(nullptr);
  (void)driver_->release_context(device());
  context_ = nullptr;
}

void Context::reset() {
  give_back();
  (void)driver_->reset_context(device());
  std::lock_guard lock(mutex_);
  failure_ = {};
  failed_ = abandoned_ = false;
}

Status Context::enter() const {
  if (abandoned_) return {Failure::Unloading, "work of the GPU waits for a value that has not come: it is given up"};
  if (failed_.load(std::memory_order_acquire)) return sticky();
  return check(driver_->set_context(context_), "using the GPU's context");
}

void Context::enter_despite_failure() const { (void)driver_->set_context(context_); }

Status Context::check(CUresult result, std::string_view what) const {
  if (result == kSuccess) return {};
  Status status = driver_->status_of(result, what);
  if (!is_sticky(status.failure)) return status;
  poison(std::move(status));
  return sticky();
}

Status Context::sticky() const {
  if (!failed_.load(std::memory_order_acquire)) return {};
  std::lock_guard lock(mutex_);
  return failure_;
}

void Context::poison(Status status) const {
  std::lock_guard lock(mutex_);
  if (failure_.ok()) failure_ = std::move(status);
  failed_.store(true, std::memory_order_release);
}

}  // namespace warpwise::device::gpu
