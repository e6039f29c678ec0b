// The device code inside a program, without running it.
//
//     section .nv_fatbin     nvcc: containers of PTX, compressed or not     Clang: PTX as text, or the name of a file
//
// A program may be hostile, since the lab reads what untrusted sources became: a source can write sections, too
// (`__attribute__((section(".nv_fatbin")))`). So no size in it is believed (base/elf_file.h, fatbinary.h), reading
// takes time in proportion to the file, the PTX has a limit in memory, and no name in it leads out of `modules`.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/elf_file.h"
#include "base/result.h"

namespace warpwise::toolchain {

struct DeviceCode {
  std::vector<std::string> ptx;       // one text per module
  std::vector<std::string> problems;  // sentences about modules without PTX for the device
};

// The bytes of all PTX of a program: a thousand times what a large one has.
constexpr size_t kMostDeviceCode = size_t{1} << 30;

// `architecture`: of the device, 90 for compute capability 9.0. `modules`: where PTX lies that programs of
// `warpwise run` refer to; "": nowhere. `most_bytes`: of all PTX together, decompressed.
DeviceCode device_code_of(const ElfFile& program, unsigned architecture, const std::filesystem::path& modules,
                          size_t most_bytes = kMostDeviceCode);

}  // namespace warpwise::toolchain
