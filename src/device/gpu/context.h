// The driver's context of one GPU, and the failure that poisons it.
//
// It is the GPU's primary context, which NVIDIA's own runtime and libraries use too, so that memory made here is theirs
// to use. The driver wants it to be the current one of every thread that calls; enter() sees to that.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>

#include "device/gpu/describe.h"
#include "device/gpu/driver.h"

namespace warpwise::device::gpu {

class Context {
 public:
  Context(std::shared_ptr<const Driver> driver, std::unique_ptr<const Description> description)
      : driver_(std::move(driver)), description_(std::move(description)) {}
  ~Context() { give_back(); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Driver& driver() const { return *driver_; }
  const Description& description() const { return *description_; }

  Status take();
  void give_back();
  // Ends the context for all users of it in this process, as cudaDeviceReset does, and forgets its failure.
  void reset();
  bool taken() const { return context_ != nullptr; }

  // Makes the context the thread's. Returns the failure that poisoned it, if there is one.
  // None enters one that has been abandoned.
  Status enter() const;
  // The same where the context is to be used although it has failed: to give back what is in it.
  void enter_despite_failure() const;

  // The status of a result of the driver when `what` was to be done; a sticky failure is kept.
  Status check(CUresult result, std::string_view what) const;
  Status sticky() const;
  void poison(Status status) const;

  // Work in the context waits for ever, and so would most calls: nothing is asked of it any more until it is reset.
  void abandon() { abandoned_ = true; }
  bool is_abandoned() const { return abandoned_; }

 private:
  CUdevice device() const { return static_cast<CUdevice>(description_->ordinal); }

  const std::shared_ptr<const Driver> driver_;
  const std::unique_ptr<const Description> description_;
  CUcontext context_ = nullptr;
  mutable std::atomic<bool> failed_{false};
  std::atomic<bool> abandoned_{false};
  mutable std::mutex mutex_;
  mutable Status failure_;
};

}  // namespace warpwise::device::gpu
