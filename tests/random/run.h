// Runs a program under an engine and reads what it leaves behind.
#pragma once

#include <string_view>
#include <vector>

#include "program.h"

namespace warpwise::random_programs {

struct Outcome {
  std::string failure;           // "" when it ran
  std::vector<std::byte> bytes;  // registers of all threads, counters, scratch, boxes, surfaces
};
// The buffers that the kernel gets: inputs, registers of all threads, counters, scratch, boxes; and one that no
// statement reads afterwards.
std::vector<size_t> buffer_sizes(const Shape& shape);

Outcome run(const Shape& shape, const std::string& ptx, std::string_view engine);

// How two outcomes differ; "" when they do not.
std::string difference(const Shape& shape, const Outcome& a, const Outcome& b);

}  // namespace warpwise::random_programs
