// The test kernels of kernels/kernels.cpp as an object file.
#pragma once

#include <cstddef>
#include <fstream>
#include <iterator>
#include <vector>

namespace warpwise::exec {

inline std::vector<std::byte> kernels_object() {
  std::ifstream file(WARPWISE_TEST_KERNELS, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  const std::byte* first = reinterpret_cast<const std::byte*>(bytes.data());
  return {first, first + bytes.size()};
}

}  // namespace warpwise::exec
