// Which case a recording of the lab shows, as its file says it: so that the same case can be recorded once more, of an
// earlier attempt or in another order of blocks and warps.
//
//     {"case": "several warps", "sizes": {"n": 192}, "seed": "8131", "block": [0, 0, 0], "kernel": "", "lines": [7]}
// The seed has 64 bits, of which a browser would lose some in a number: it is a text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "lab/problem/expression.h"

namespace warpwise::lab {

struct RecordedCase {
  std::string name;  // of the case
  Numbers sizes;
  uint64_t seed = 0;  // of its inputs
  Index3 block;
  std::string kernel;               // of a host function: which; "": the first
  std::vector<uint32_t> lines;      // whose values are recorded
  std::optional<uint64_t> order{};  // the seed of a shuffled schedule; none: that of the case
};

std::string to_json(const RecordedCase& recorded);
// U0005 where it is none.
Result<RecordedCase> recorded_case_from_json(std::string_view text);

}  // namespace warpwise::lab
