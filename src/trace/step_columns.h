// Steps of a warp as columns of bytes, and back: what a chunk of steps holds (docs/trace_format.md, "Steps").
//
// What is usual costs little. Most steps follow the one before in the program and have its lanes, and most accesses are
// affine in the lane, so a step takes one byte or two, an access about five, before zstd sees them; as plain numbers
// an access takes 272.
//
//     columns    sites      zigzag difference to the site behind the previous one
//                masks      runs: how many steps, which lanes
//                guards     of guarded sites: 0 all, 1 none, 2 a mask
//                accesses   of sites that access memory: pattern, space, addresses
//                values     of sites whose values are recorded
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/result.h"
#include "trace/bytes.h"
#include "trace/step.h"

namespace warpwise::trace {

// So many steps at most are in one chunk.
constexpr uint32_t kChunkSteps = 4096;

class StepEncoder {
 public:
  // `site` is the step's.
  void add(const Step& step, const Site& site);
  uint32_t count() const { return count_; }
  // The payload of a chunk; the encoder is empty afterwards.
  std::string take();

 private:
  void add_access(const Access& access, bool more, uint32_t on);
  void add_values(const Step& step, const Site& site);
  void end_run();

  ByteWriter sites_, masks_, guards_, accesses_, values_;
  uint32_t count_ = 0, next_site_ = 0, run_ = 0, run_mask_ = 0;
  std::array<uint64_t, kSpaces> last_{};
};

// The steps of a payload. V0005 where it is none.
Result<std::vector<Step>> decode_steps(std::string_view payload, std::span<const Site> sites);

}  // namespace warpwise::trace
