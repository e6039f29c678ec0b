#include "cuda/runtime/device/devices.h"

#include <atomic>

namespace warpwise::cuda {

namespace {

thread_local int current_device = 0;
thread_local device::Device* other_device = nullptr;
std::atomic<device::Device*> known_device{nullptr};

}  // namespace

OnOtherDevice::OnOtherDevice(device::Device& gpu) { known_device = other_device = &gpu; }
OnOtherDevice::~OnOtherDevice() { other_device = nullptr; }
device::Device* OnOtherDevice::present() { return other_device; }
device::Device* OnOtherDevice::known() { return known_device; }

size_t Devices::place() { return other_device ? kPlaceOfOther : size_t(current_device); }

int Devices::current() { return current_device; }
void Devices::choose(int device) { current_device = device; }

std::string Devices::how_many() const {
  if (count_ == 1) return "there is one, number 0 (`warpwise run --devices=N` gives more)";
  return fmt::format("there are {}, the first is number 0", count_);
}

bool Devices::may_access(int device, int peer) {
  std::lock_guard lock(mutex_);
  return granted_[device][peer];
}

cudaError_t Devices::grant(int device, int peer) {
  std::lock_guard lock(mutex_);
  if (granted_[device][peer])
    return fail(cudaErrorPeerAccessAlreadyEnabled, "device {} has access to device {} already", device, peer);
  granted_[device].set(peer);
  return cudaSuccess;
}

cudaError_t Devices::withdraw(int device, int peer) {
  std::lock_guard lock(mutex_);
  if (!granted_[device][peer])
    return fail(cudaErrorPeerAccessNotEnabled, "device {} has no access to device {}", device, peer);
  granted_[device].reset(peer);
  return cudaSuccess;
}

void Devices::note_allocated(device::Address base) {
  if (current_device == 0) return;
  std::lock_guard lock(mutex_);
  owners_[base] = current_device;
}

void Devices::note_freed(device::Address base) {
  if (count_ == 1) return;
  std::lock_guard lock(mutex_);
  owners_.erase(base);
}

int Devices::owner_of(device::Address base) {
  std::lock_guard lock(mutex_);
  auto found = owners_.find(base);
  return found == owners_.end() ? 0 : found->second;
}

void Devices::note_use_of(int device) {
  std::lock_guard lock(mutex_);
  in_use_.set(device);
}

bool Devices::all_reset() {
  std::lock_guard lock(mutex_);
  in_use_.reset(current_device);
  granted_[current_device].reset();
  if (in_use_.any()) return false;
  owners_.clear();
  return true;
}

}  // namespace warpwise::cuda
