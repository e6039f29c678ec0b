// A folder for a test's files.
#pragma once

#include <gtest/gtest.h>

#include "toolchain/files.h"

namespace warpwise::toolchain {

inline TemporaryFolder test_folder() {
  auto folder = TemporaryFolder::create(std::filesystem::temp_directory_path());
  if (!folder) ADD_FAILURE() << folder.error().message;
  return std::move(*folder);
}

inline void put(const std::filesystem::path& path, std::string_view content) {
  auto written = write_file(path, content);
  if (!written) ADD_FAILURE() << written.error().message;
}

}  // namespace warpwise::toolchain
