// Several devices in one process: `--devices=N`, the member "devices" of WARPWISE_OPTIONS.
//
// They are all of one kind, and one virtual GPU stands behind them: one address space, one heap, one queue of work that
// runs in the order of its submission. What CUDA keeps separate by device is kept separate by number:
//
//     the device that a host thread has chosen       here (cudaSetDevice; the driver's contexts follow)
//     code, and the variables in it                  modules.h: a module is loaded once for each device that needs it
//     streams                                        streams.h: a kernel runs on its stream's device or not at all
//     the owner of memory at an address              here, for cudaPointerGetAttributes
//     which device may access which memory           here: asked, granted and withdrawn as in CUDA
//
// This is more lenient than hardware in three ways. A kernel may access another device's memory without having been
// granted access. The devices share the memory that cudaMemGetInfo reports. cudaDeviceReset frees nothing until every
// device in use has been reset.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "cuda/runtime/error.h"
#include "device/device.h"

namespace warpwise::cuda {

inline constexpr int kMostDevices = 16;
inline constexpr size_t kPlaceOfOther = kMostDevices, kMostPlaces = kMostDevices + 1;

// Another device in the place of the process's own, for what the calling thread does while the object lives. A host
// that opens its devices itself (src/capi) has a real GPU beside the virtual one so. Code is loaded there in a copy of
// its own; handles of one device mean nothing on the other. `gpu` is the same in every such object, and is never
// destroyed.
class __attribute__((visibility("default"))) OnOtherDevice {
 public:
  explicit OnOtherDevice(device::Device& gpu);
  ~OnOtherDevice();
  OnOtherDevice(const OnOtherDevice&) = delete;
  // Of the calling thread; null: it uses the process's own.
  static device::Device* present();
  // Null: there has been no such object yet.
  static device::Device* known();
};

class Devices {
 public:
  explicit Devices(int count) : count_(count) {}

  int count() const { return count_; }
  // The device of the calling thread.
  static int current();
  static void choose(int device);
  // Where the calling thread's device has its copy of a module: below kMostPlaces.
  static size_t place();
  // "there is one, number 0", "there are 4, the first is number 0": the end of an error message, with advice on how to
  // have more.
  std::string how_many() const;

  // Peers. Both devices of the pair are known to exist, and they differ.
  bool may_access(int device, int peer);
  cudaError_t grant(int device, int peer);
  cudaError_t withdraw(int device, int peer);

  void note_allocated(device::Address base);
  void note_freed(device::Address base);
  int owner_of(device::Address base);

  void note_used() {
    if (count_ > 1) note_use_of(current());
  }
  // The current device is to be reset. True when no other device is in use any more: then everything is released.
  bool all_reset();

 private:
  void note_use_of(int device);

  const int count_;
  std::mutex mutex_;
  std::array<std::bitset<kMostDevices>, kMostDevices> granted_;  // [device][peer]
  std::bitset<kMostDevices> in_use_;
  std::map<device::Address, int> owners_;  // of memory that does not belong to device 0
};

}  // namespace warpwise::cuda
