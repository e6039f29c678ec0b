#include "device/properties.h"

namespace warpwise::device {
namespace {

constexpr uint64_t operator""_MiB(unsigned long long n) { return n << 20; }
constexpr unsigned operator""_KiB(unsigned long long n) { return static_cast<unsigned>(n << 10); }

constexpr Properties kDevices[] = {
#define DEVICE(id_, name_, major_, minor_, sms, core_khz, memory_khz, bus, memory, l2, shared_sm, shared_optin, threads, \
               blocks, engines, ratio, source_)                                                                         \
  {.id = id_,                                                                                                           \
   .name = name_,                                                                                                       \
   .major = major_,                                                                                                     \
   .minor = minor_,                                                                                                     \
   .sm_count = sms,                                                                                                     \
   .core_clock_khz = core_khz,                                                                                          \
   .memory_clock_khz = memory_khz,                                                                                      \
   .memory_bus_bits = bus,                                                                                              \
   .global_memory_bytes = memory,                                                                                       \
   .l2_bytes = l2,                                                                                                      \
   .shared_per_sm_bytes = shared_sm,                                                                                    \
   .shared_per_block_optin_bytes = shared_optin,                                                                        \
   .reserved_shared_per_block_bytes = (major_) >= 8 ? 1024u : 0u,                                                       \
   .threads_per_sm = threads,                                                                                           \
   .blocks_per_sm = blocks,                                                                                             \
   .async_engines = engines,                                                                                            \
   .single_to_double_ratio = ratio,                                                                                     \
   .source = source_},
#include "device/devices.inc"
#undef DEVICE
};

}  // namespace

std::span<const Properties> all_devices() { return kDevices; }

const Properties* find_device(std::string_view id) {
  for (const Properties& device : kDevices)
    if (device.id == id) return &device;
  return nullptr;
}

const Properties& default_device() { return *find_device("h100"); }

}  // namespace warpwise::device
