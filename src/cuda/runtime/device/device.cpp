// Devices: their number (devices.h), properties, limits and flags; synchronising and resetting them.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

cudaError_t check_out(const void* out) {
  return out ? cudaSuccess : fail(cudaErrorInvalidValue, "the result pointer is null");
}

// A function that only writes a constant result.
template <class Value>
cudaError_t answer(const char* function, Value* out, Value value) {
  return call_without_device(function, [&]() -> cudaError_t {
    CUDA_TRY(check_out(out));
    *out = value;
    return cudaSuccess;
  });
}

// The attributes cudaDevAttrPci*.
std::string pci_bus_id(int device) { return fmt::format("0000:{:02x}:00.0", device + 1); }

// Where a device is on the bus. The numbers are hexadecimal, of any length. Domain and function may be left out:
// "0000:01:00.0", "0:1:0", "01:00.0" and "01:00" are one place (CUDA Runtime API, cudaDeviceGetByPCIBusId).
struct PciPlace {
  unsigned domain = 0, bus = 0, device = 0, function = 0;
  bool operator==(const PciPlace&) const = default;
};
std::optional<PciPlace> pci_place(const char* text) {
  PciPlace at;
  int end = 0;
  // All fields are present, and no text follows them.
  const auto whole = [&](int wanted, int fields) { return fields == wanted && end > 0 && text[end] == '\0'; };
  if (whole(4, std::sscanf(text, "%x:%x:%x.%x%n", &at.domain, &at.bus, &at.device, &at.function, &end))) return at;
  at = {}, end = 0;
  if (whole(3, std::sscanf(text, "%x:%x:%x%n", &at.domain, &at.bus, &at.device, &end))) return at;
  at = {}, end = 0;
  if (whole(3, std::sscanf(text, "%x:%x.%x%n", &at.bus, &at.device, &at.function, &end))) return at;
  at = {}, end = 0;
  if (whole(2, std::sscanf(text, "%x:%x%n", &at.bus, &at.device, &end))) return at;
  return std::nullopt;
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  return answer("cudaGetDeviceCount", count, Process::instance().devices.count());
}
cudaError_t cudaGetDevice(int* device) { return answer("cudaGetDevice", device, Devices::current()); }

cudaError_t cudaSetDevice(int device) {
  return call_without_device("cudaSetDevice", [&]() -> cudaError_t {
    CUDA_TRY(require_device(device));
    Devices::choose(device);
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return call("cudaInitDevice", [&](Process&, device::Device&) { return require_device(device); });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call_without_device("cudaSetValidDevices", [&]() -> cudaError_t {
    if (count < 0 || (count > 0 && !devices)) return fail(cudaErrorInvalidValue, "no list of devices");
    for (int i = 0; i < count; ++i) CUDA_TRY(require_device(devices[i]));
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return call_without_device("cudaChooseDevice", [&]() -> cudaError_t {
    if (!device || !properties) return fail(cudaErrorInvalidValue, "an argument is null");
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice_v2(int* device, const cudaDeviceProp12* properties) {
  return cudaChooseDevice(device, reinterpret_cast<const cudaDeviceProp*>(properties));  // only null matters
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call_despite_failure("cudaGetDeviceProperties", [&](Process&, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_out(properties));
    CUDA_TRY(require_device(device));
    *properties = device_properties_cuda13(gpu.properties(), device);
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp12* properties, int device) {
  return call_despite_failure("cudaGetDeviceProperties", [&](Process&, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_out(properties));
    CUDA_TRY(require_device(device));
    *properties = device_properties_cuda12(gpu.properties(), device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call_despite_failure("cudaDeviceGetAttribute", [&](Process&, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_out(value));
    CUDA_TRY(require_device(device));
    if (!device_attribute(gpu.properties(), device, attribute, value))
      return fail(cudaErrorInvalidValue, "there is no attribute {}", static_cast<int>(attribute));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call("cudaDeviceSynchronize", [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(process.captures.refuse_all());
    process.checks.waited_for_all();
    return fail(gpu.wait_all());
  });
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

// A reset does not open a device.
cudaError_t cudaDeviceReset() {
  return call_without_device("cudaDeviceReset", [&] {
    Process& process = Process::instance();
    if (device::Device* gpu = process.opened_device()) {
      if (process.devices.all_reset())
        process.reset(*gpu);
      else
        (void)gpu->wait_all();
    }
    return cudaSuccess;  // a thread's last error outlives the device
  });
}

namespace {

// Compute capability 9.0 removed kernels that wait for their child kernels, and with them the limit.
cudaError_t check_limit(const Process& process, cudaLimit limit) {
  if (limit >= process.limits.values.size())
    return fail(cudaErrorInvalidValue, "there is no limit {}", static_cast<unsigned>(limit));
  if (limit == cudaLimitDevRuntimeSyncDepth) return fail(cudaErrorUnsupportedLimit, "the device has no such limit");
  return cudaSuccess;
}

}  // namespace

// Rounds a value to what a device supports: stacks are multiples of 16 bytes; heaps and the printf buffer have a
// minimum size (observed on an H200).
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call("cudaDeviceSetLimit", [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_limit(process, limit));
    switch (limit) {
      case cudaLimitStackSize:
        CUDA_TRY(fail(gpu.set_stack_size(value)));
        value = (value + 15) / 16 * 16;
        break;
      case cudaLimitPrintfFifoSize:
        value = std::max<size_t>(value, 512 << 10);
        break;
      case cudaLimitMallocHeapSize:
        value = std::max<size_t>(value, 4 << 20);
        CUDA_TRY(fail(gpu.set_heap_size(value)));
        break;
      case cudaLimitPersistingL2CacheSize: {
        size_t most = gpu.properties().persisting_l2_bytes(), part = std::max<size_t>(most / 10, 1);
        if (value > most)
          return fail(cudaErrorInvalidValue, "{} bytes of L2 set aside: the device allows {}", value, most);
        value = (value + part - 1) / part * part;
        break;
      }
      default:
        break;
    }
    process.limits.values[limit] = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call("cudaDeviceGetLimit", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(check_out(value));
    CUDA_TRY(check_limit(process, limit));
    *value = process.limits.values[limit];
    return cudaSuccess;
  });
}

// Caches and banks affect timing alone, which is not modelled here: settings are remembered, nothing more.
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return answer("cudaDeviceGetCacheConfig", config, Process::instance().limits.cache_config);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return call("cudaDeviceSetCacheConfig", [&](Process& process, device::Device&) -> cudaError_t {
    if (config > cudaFuncCachePreferEqual) return fail(cudaErrorInvalidValue, "not a cache configuration");
    process.limits.cache_config = config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return answer("cudaDeviceGetSharedMemConfig", config, cudaSharedMemBankSizeFourByte);
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return call_without_device("cudaDeviceSetSharedMemConfig", [&]() -> cudaError_t {
    return config > cudaSharedMemBankSizeEightByte ? fail(cudaErrorInvalidValue, "not a bank size") : cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call_without_device("cudaDeviceGetStreamPriorityRange", [&] {
    if (least) *least = kLeastPriority;
    if (greatest) *greatest = kGreatestPriority;
    return cudaSuccess;
  });
}

// Host memory can be mapped with or without the flag.
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  constexpr unsigned kMapHost = 8;
  return answer("cudaGetDeviceFlags", flags, Process::instance().limits.device_flags | kMapHost);
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call_without_device("cudaSetDeviceFlags", [&]() -> cudaError_t {
    constexpr unsigned kScheduling = 7, kMapHost = 8, kResizeLocal = 16, kSyncMemops = 128;
    constexpr unsigned kKnown = kScheduling | kMapHost | kResizeLocal | kSyncMemops;
    unsigned scheduling = flags & kScheduling;  // at most one of spin, yield, blocking
    if ((flags & ~kKnown) || (scheduling & (scheduling - 1)))
      return fail(cudaErrorInvalidValue, "flags {:#x} are not defined", flags);
    Process::instance().limits.device_flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return call_without_device("cudaDeviceGetPCIBusId", [&]() -> cudaError_t {
    CUDA_TRY(require_device(device));
    const std::string name = pci_bus_id(device);
    if (!id || length <= static_cast<int>(name.size()))
      return fail(cudaErrorInvalidValue, "the identifier needs {} characters", name.size() + 1);
    std::strcpy(id, name.c_str());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return call_without_device("cudaDeviceGetByPCIBusId", [&]() -> cudaError_t {
    if (!device || !id) return fail(cudaErrorInvalidValue, "an argument is null");
    const std::optional<PciPlace> given = pci_place(id);
    if (!given) return fail(cudaErrorInvalidValue, "`{}` is not a PCI bus identifier such as {}", id, pci_bus_id(0));
    for (int k = 0; k < Process::instance().devices.count(); ++k) {
      if (*given != *pci_place(pci_bus_id(k).c_str())) continue;
      *device = k;
      return cudaSuccess;
    }
    return fail(cudaErrorInvalidDevice, "no device is at `{}`; the first is at {}", id, pci_bus_id(0));
  });
}

// Orders remote writes, of which there are none.
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget, cudaFlushGPUDirectRDMAWritesScope) {
  return call_without_device("cudaDeviceFlushGPUDirectRDMAWrites",
                             [&] { return fail(cudaErrorNotSupported, "cudaDevAttrGPUDirectRDMASupported is 0"); });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return call("cudaCtxResetPersistingL2Cache", [](Process&, device::Device&) { return cudaSuccess; });
}

cudaError_t cudaDriverGetVersion(int* version) { return answer("cudaDriverGetVersion", version, 13000); }
cudaError_t cudaRuntimeGetVersion(int* version) { return answer("cudaRuntimeGetVersion", version, 12080); }
cudaError_t cudaRuntimeGetVersion_cuda13(int* version) { return answer("cudaRuntimeGetVersion", version, 13000); }

// Profiling is switched on from outside (`warpwise profile`). A program's own calls are accepted and have no effect.
cudaError_t cudaProfilerStart() {
  return call_without_device("cudaProfilerStart", [] { return cudaSuccess; });
}
cudaError_t cudaProfilerStop() {
  return call_without_device("cudaProfilerStop", [] { return cudaSuccess; });
}
