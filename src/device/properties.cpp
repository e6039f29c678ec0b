#include "device/properties.h"

namespace warpwise::device {
namespace {

constexpr uint64_t operator""_MiB(unsigned long long n) { return n << 20; }
constexpr unsigned operator""_KiB(unsigned long long n) { return static_cast<unsigned>(n << 10); }

constexpr Machine architecture(unsigned major, unsigned minor) {
#define ARCHITECTURE(major_, minor_, fp32, integer, shares, fp64, fp16, special, lsu, l1, kib, fma, f64, mufu, smem, \
                     mma, bar, l1_lat, l2_lat, dram_ns, share, reg_bytes)                                            \
  if (major == major_ && minor == minor_)                                                                            \
    return {.fp32_lanes = fp32,                                                                                      \
            .integer_lanes = integer,                                                                                \
            .integer_shares_fp32 = shares,                                                                           \
            .fp64_lanes = fp64,                                                                                      \
            .fp16_lanes = fp16,                                                                                      \
            .special_lanes = special,                                                                                \
            .lsu_lanes = lsu,                                                                                        \
            .mma_share = share,                                                                                      \
            .l1_bytes = l1,                                                                                          \
            .shared_register_bytes = reg_bytes,                                                                      \
            .l1_kib = kib,                                                                                           \
            .fma_latency = fma,                                                                                      \
            .fp64_latency = f64,                                                                                     \
            .special_latency = mufu,                                                                                 \
            .shared_latency = smem,                                                                                  \
            .tensor_latency = mma,                                                                                   \
            .barrier_latency = bar,                                                                                  \
            .l1_latency = l1_lat,                                                                                    \
            .l2_latency = l2_lat,                                                                                    \
            .dram_latency_ns = dram_ns};
#include "device/architectures.inc"
#undef ARCHITECTURE
  return {};
}

constexpr Machine machine_of(std::string_view id, unsigned major, unsigned minor) {
  Machine m = architecture(major, minor);
#define BOARD(id_, base, f16, tf32, f64, f8, int8, l2, atomics, read, fraction, launch, host, host_latency, link, \
              source_)                                                                                            \
  if (id == id_) {                                                                                                \
    m.sustained_khz = base;                                                                                       \
    m.tensor_f16 = f16, m.tensor_tf32 = tf32, m.tensor_f64 = f64, m.tensor_f8 = f8, m.tensor_int8 = int8;         \
    m.l2_bytes_per_clock = l2, m.l2_atomics_per_clock = atomics, m.dram_fraction = fraction,                      \
    m.dram_read_fraction = read;                                                                                  \
    m.launch_ns = launch, m.host_gb_per_s = host, m.host_latency_ns = host_latency, m.peer_gb_per_s = link;       \
    m.source = source_;                                                                                           \
  }
#include "device/boards.inc"
#undef BOARD
  return m;
}

constexpr Properties kDevices[] = {
#define DEVICE(id_, name_, major_, minor_, sms, core_khz, memory_khz, bus, memory, l2, shared_sm, shared_optin, \
               threads, blocks, engines, ratio, source_)                                                        \
  {.id = id_,                                                                                                   \
   .name = name_,                                                                                               \
   .major = major_,                                                                                             \
   .minor = minor_,                                                                                             \
   .sm_count = sms,                                                                                             \
   .core_clock_khz = core_khz,                                                                                  \
   .memory_clock_khz = memory_khz,                                                                              \
   .memory_bus_bits = bus,                                                                                      \
   .global_memory_bytes = memory,                                                                               \
   .l2_bytes = l2,                                                                                              \
   .shared_per_sm_bytes = shared_sm,                                                                            \
   .shared_per_block_optin_bytes = shared_optin,                                                                \
   .reserved_shared_per_block_bytes = (major_) >= 8 ? 1024u : 0u,                                               \
   .threads_per_sm = threads,                                                                                   \
   .blocks_per_sm = blocks,                                                                                     \
   .async_engines = engines,                                                                                    \
   .single_to_double_ratio = ratio,                                                                             \
   .machine = machine_of(id_, major_, minor_),                                                                  \
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
