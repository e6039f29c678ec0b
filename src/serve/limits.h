// What the server holds its connections to.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace warpwise::serve {

struct Limits {
  uint32_t header_bytes = 8 * 1024;
  uint64_t body_bytes = 64 * 1024;
  uint64_t submission_bytes = (2 << 20) + 64 * 1024;  // of the lab: a source of 1 MiB, as JSON
  size_t connections = 64;
  size_t connections_of_one_address = 64;  // of a class: one machine does not take them all
  // For a whole request to come, counted from when its connection waits for it: a client that sends a byte at a time
  // does not hold a connection for longer. Also for an answer to be taken.
  std::chrono::milliseconds slowest{10'000};
};

}  // namespace warpwise::serve
