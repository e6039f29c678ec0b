// What compilers put into a program for the runtime to find: device code, in one of three wrappings.
//
//     wrapper (__fatBinC_Wrapper_t, in section .nvFatBinSegment)
//       magic 0x466243b1, version, data, prelinked
//                                   │
//         ┌─────────────────────────┼──────────────────────────┐
//     container 0xBA55ED50      PTX text                `warpwise-ptx: KEY`
//     nvcc: entries of PTX      Clang, from a .ptx      Clang, when both halves are compiled side by
//     and machine code, each    file, not terminated    side: the PTX is in $WARPWISE_MODULES/KEY.ptx,
//     plain, LZ4 or Zstandard                           or beside the library that refers to it
//
// The container is not documented. Layout, little-endian, as nvcc 11 to 13 write it:
//
//     header:  u32 magic, u16 version (1), u16 header bytes (16), u64 bytes of all entries
//     entry:   u16 kind (1 PTX, 2 machine code), u16 version, u32 header bytes, u64 payload bytes,
//              u32 compressed bytes, u32, u16 minor, u16 major, u32 architecture, u32 name offset,
//              u32 name bytes, u64 flags, u64, u64 bytes when decompressed; payload follows the header
//     flags:   0x2000 LZ4, 0x8000 Zstandard, 0x100000 architecture-specific (sm_90a), 0x200000
//              family-specific (sm_100f)
//
// Everything is checked against the bounds, because programs may be damaged or hostile (fuzz/fatbinary.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::cuda {

struct FatBinaryWrapper {
  int magic;
  int version;  // 2: linked from relocatable code, which `prelinked` lists
  const void* data;
  const void* const* prelinked;
};
inline constexpr int kWrapperMagic = 0x466243b1;
inline constexpr uint32_t kContainerMagic = 0xba55ed50;
inline constexpr std::string_view kReferencePrefix = "warpwise-ptx: ";

struct FatBinaryEntry {
  enum class Kind : uint8_t { Ptx, MachineCode, Other };
  enum class Packing : uint8_t { Plain, Lz4, Zstd };
  enum class Target : uint8_t { Any, Family, Exact };  // which devices it runs on besides that of its number
  Kind kind = Kind::Other;
  Packing packing = Packing::Plain;
  Target target = Target::Any;
  unsigned architecture = 0;  // 90 for sm_90
  std::string_view payload;   // as stored; a view into the container
  size_t unpacked_size = 0;
};

// The entries of a container. `bytes` may extend past its end.
Result<std::vector<FatBinaryEntry>> parse_container(std::string_view bytes);

// Larger than any PTX that a compiler writes. A damaged size must not exhaust the host's memory.
constexpr size_t kMostUnpacked = size_t{1} << 30;

// An entry's PTX text. R0203 where it is longer than `most_bytes`.
Result<std::string> unpack(const FatBinaryEntry& entry, size_t most_bytes = kMostUnpacked);

// The PTX for a device of that architecture (90 for compute capability 9.0): the newest that the device can run. The
// error says what to rebuild when there is none (R0201, R0202).
Result<std::string> choose_ptx(const std::vector<FatBinaryEntry>& entries, unsigned architecture,
                               size_t most_bytes = kMostUnpacked);

// The part of `text` that is one PTX module. Text that Clang embeds is not terminated, so it ends before the first byte
// that is not text, or before a second `.version` (the next module in the section).
std::string_view ptx_extent(std::string_view text);

// The PTX behind a program's wrapper.
Result<std::string> read_wrapper(const FatBinaryWrapper& wrapper, unsigned architecture);

// The PTX in data that a program passes to cuModuleLoadData: text, a container or a wrapper.
Result<std::string> read_image(const void* image, unsigned architecture);

}  // namespace warpwise::cuda
