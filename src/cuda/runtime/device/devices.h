// Several devices in one process: `--devices=N`, the member "devices" of WARPWISE_OPTIONS.
//
// They are all of one kind, and behind them is one virtual GPU: one address space, one heap, one queue of work that
// runs in the order of its submission. What CUDA keeps apart by device is kept apart by number:
//
//     which device a host thread has chosen          here (cudaSetDevice; the driver's contexts follow)
//     code, and the variables in it                  modules.h: a module is loaded once for each device that needs it
//     streams                                        streams.h: a kernel runs on its stream's device or not at all
//     whose memory an address is                     here, for cudaPointerGetAttributes
//     who may access whose memory                    here: asked, granted, withdrawn as CUDA has it
//
// Kinder than hardware: a kernel that touches another device's memory without having been granted access is not
// stopped, devices share the memory that cudaMemGetInfo tells, and cudaDeviceReset frees nothing until every device in
// use has been reset.
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

class Devices {
 public:
  explicit Devices(int count) : count_(count) {}

  int count() const { return count_; }
  // The calling thread's.
  static int current();
  static void choose(int device);
  // "there is one, number 0", "there are 4, the first is number 0": the end of a refusal, and how to have more.
  std::string how_many() const;

  // Peers. The pair is known to be two devices that exist.
  bool may_access(int device, int peer);
  cudaError_t grant(int device, int peer);
  cudaError_t withdraw(int device, int peer);

  void note_allocated(device::Address base);
  void note_freed(device::Address base);
  int owner_of(device::Address base);

  void note_used() {
    if (count_ > 1) note_use_of(current());
  }
  // The current device is to be reset. True when no other device is in use any more: then everything goes.
  bool all_reset();

 private:
  void note_use_of(int device);

  const int count_;
  std::mutex mutex_;
  std::array<std::bitset<kMostDevices>, kMostDevices> granted_;  // [device][peer]
  std::bitset<kMostDevices> in_use_;
  std::map<device::Address, int> owners_;  // of memory that is not device 0's
};

}  // namespace warpwise::cuda
