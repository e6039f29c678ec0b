// __managed__ variables of programs that Clang compiled.
//
// nvcc turns a managed variable of the host into a pointer, which the runtime sets. Clang does not support managed
// variables in CUDA. The headers in include/cuda declare one as a __device__ variable and put its host stand-in, the
// shadow, into a section of its own. Host code reads and writes the shadow. Kernels use the variable on the device,
// which is managed memory and has another address. Both become one memory where pages allow it: the shadow's pages
// become a second mapping of the device's. The rest (the shadow's last page, where other variables of the program share
// it; everything where the device's side is not at the start of a page) is kept in step. Each call of the runtime and
// each host function of a stream begins and ends by copying what has changed on one side since the last time to the
// other side, byte by byte.
//
// Guaranteed, for programs without races between host and kernels:
//   - the host sees the initial value from the first constructor on that runs after those of the variable's file;
//   - a launch sees what the host wrote before it; the host sees what kernels wrote after the call that waited;
//   - what the host writes during a kernel, to bytes that the kernel does not write, stays;
//   - `&variable` as an argument of a kernel or of a function of the runtime means the variable on the device.
// Not guaranteed:
//   - host and device address differ: kernels cannot use a `&variable` stored in data structures (they fault), and what
//   is
//     written through the pointer from cudaGetSymbolAddress may be seen at the next call only;
//   - a host that polls the variable without calling the runtime may never see it change.
// Without such variables a call costs one load more; with them, two comparisons of less than a page each.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "cuda/runtime/memory/fair_mutex.h"
#include "device/device.h"

namespace warpwise::cuda {

class ManagedShadows {
 public:
  // Whether a device variable's stand-in is a shadow: include/cuda/host_defines.h puts shadows in a section of their
  // own.
  static bool is_shadow(const void* variable);

  // The variable is on the device at that address, which the host can use. The first time its value is the shadow's.
  // When it returns after cudaDeviceReset, the host's value stays. True: all of it is one memory now, and nothing else
  // is on the shadow's pages.
  // `share`: the device lets the host map its pages twice.
  bool attach(void* shadow, size_t size, device::Address variable, bool share);
  // The variables are gone, the shadows stay.
  void detach_all();
  // The shadow is gone as well.
  void remove(const void* shadow);

  void synchronise() {
    if (attached_.load(std::memory_order_acquire) != 0) compare_and_copy();
  }

  // The device address for an address in a shadow; every other address unchanged.
  device::Address on_device(device::Address address) const;
  // The same for all pointers among the arguments of a kernel. (Eight bytes that equal the address of a shadow are
  // taken for a pointer to it.)
  void put_on_device(std::span<std::byte> arguments) const;

 private:
  struct Shadow {
    std::byte* host = nullptr;
    size_t size = 0;
    std::byte* device = nullptr;  // first bytes that are one memory on both sides; may pass the end
    size_t shared = 0;  // how many of the first bytes are one memory on both sides; includes bytes past the end
    std::vector<std::byte> last;  // the value of the other bytes when both sides were last in step
  };
  static void separate(Shadow& shadow);
  void compare_and_copy();

  mutable FairMutex mutex_;
  std::vector<Shadow> shadows_;
  std::atomic<size_t> attached_{0};
};

}  // namespace warpwise::cuda
