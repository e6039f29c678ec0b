// What a finding about memory says happened: "read of 4 bytes, 8 bytes past the end of an allocation of 400 bytes".
#pragma once

#include <cstdint>
#include <string>

#include "base/finding.h"

namespace warpwise::check {

// An access of `bytes` at `address` that breaks the rule C01.. or C03..; `role`: "read", "write", "atomic". `place`:
// the memory that is there, or the nearest.
std::string message_of(const std::string& rule, const char* role, uint64_t address, uint64_t bytes,
                       const MemoryPlace& place);

}  // namespace warpwise::check
