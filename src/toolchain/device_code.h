// The device code inside a program, without running it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/elf_file.h"
#include "base/result.h"

namespace warpwise::cli {

struct DeviceCode {
  std::vector<std::string> ptx;       // one text per module
  std::vector<std::string> problems;  // sentences about modules without PTX for the device
};

// `architecture`: of the device, 90 for compute capability 9.0. `modules`: where PTX lies that programs of
// `warpwise run` refer to.
DeviceCode device_code_of(const ElfFile& program, unsigned architecture, const std::filesystem::path& modules);

}  // namespace warpwise::cli
