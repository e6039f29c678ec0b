// The properties of a GPU: the figures that programs query (cudaGetDeviceProperties) and, in machine.h, the inputs of
// the timing model. devices.inc lists real devices, every number with its source; users add theirs in files
// (device_file.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "device/machine.h"

namespace warpwise::device {

struct Properties {
  std::string_view id;            // the name for --device=: "h100"
  std::string_view name;          // "NVIDIA H100 80GB HBM3"
  unsigned major = 0, minor = 0;  // compute capability
  unsigned sm_count = 0;
  unsigned core_clock_khz = 0;  // boost
  unsigned memory_clock_khz = 0;
  unsigned memory_bus_bits = 0;
  uint64_t global_memory_bytes = 0;
  uint64_t l2_bytes = 0;
  // The share of it that can be set aside for data that is used again. (An H200 reports 5/8; A100 tuning guide: 30 of
  // 40 MiB; consumer GPUs of compute capability 8.x report 11/16.)
  uint64_t persisting_l2_bytes() const {
    if (major < 8) return 0;
    return major >= 9 ? l2_bytes / 8 * 5 : minor == 0 ? l2_bytes / 4 * 3 : l2_bytes / 16 * 11;
  }
  unsigned registers_per_sm = 65536;
  unsigned registers_per_block = 65536;
  unsigned shared_per_sm_bytes = 0;
  unsigned shared_per_block_bytes = 49152;  // without opting in
  unsigned shared_per_block_optin_bytes = 0;
  unsigned reserved_shared_per_block_bytes = 1024;
  unsigned threads_per_sm = 0;
  unsigned blocks_per_sm = 0;
  unsigned warps_per_sm() const { return threads_per_sm / 32; }
  unsigned async_engines = 2;
  unsigned single_to_double_ratio = 0;
  double dram_bytes_per_second() const { return 2.0 * memory_clock_khz * 1e3 * memory_bus_bits / 8; }  // the peak
  Machine machine;
  std::string_view source;  // the source of the figures

  // Limits that every device since compute capability 7.0 shares (CUDA programming guide, technical
  // specifications per compute capability).
  static constexpr unsigned kWarpSize = 32;
  static constexpr unsigned kMaxThreadsPerBlock = 1024;
  static constexpr uint32_t kMaxGrid[3] = {2147483647u, 65535u, 65535u};
  static constexpr uint32_t kMaxBlock[3] = {1024u, 1024u, 64u};
};

std::span<const Properties> all_devices();
const Properties* find_device(std::string_view id);  // null when there is none of that name
const Properties& default_device();                  // h100

}  // namespace warpwise::device
