// Looks at single frames of a piece as they are computed: what the checkers find, which thread wrote a pixel, and what
// the warps of its block did.
//
//     check()    the frame on a device with all checkers     findings, and the pixels that are theirs
//     record()   the same frame under a recorder             a trace file, and the step that wrote the pixel
//
// Both begin with the arrays as the picture has left them. The code is the one that is compiled for checkers, which
// keeps the accesses of the source.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "image/painter.h"
#include "image/pixel_accesses.h"

namespace warpwise::image {

// Pixels that lie side by side.
struct Run {
  uint32_t first = 0, count = 0;
};

struct Checked {
  std::vector<Finding> findings;
  std::vector<std::string> not_checked;
  std::vector<Run> pixels;  // that the findings are about
  std::string failure;      // of a kernel; "": none
  // The thread that wrote each pixel last, and the instructions that `site` names.
  std::vector<Visitor> writers;
  std::vector<PixelAccesses::Site> sites;
};

// Where the thread view opens.
struct Recorded {
  uint32_t warp = 0;
  uint64_t step = 0;
  Index3 block, thread;
  std::string kernel;
};

struct InspectedPiece {
  std::string ptx;     // compiled for checkers
  std::string source;  // its text
  std::filesystem::path file;
  Shape shape;
};

class Inspector {
 public:
  explicit Inspector(InspectedPiece piece, std::string device = "h100")
      : piece_(std::move(piece)), device_(std::move(device)) {}

  // `frames` of them, from `moment` on. `state`: of the arrays (Painter::state()); "": zeros.
  Result<Checked> check(const Moment& moment, unsigned frames, std::string_view state) const;

  // What to record: the block that wrote a pixel, or that of a finding's first party.
  struct Wish {
    uint32_t x = 0, y = 0;
    std::optional<size_t> finding{};
  };
  // Checks the frame, then records it in `file`. I0006 where no thread wrote the pixel, or there is no such finding.
  Result<Recorded> record(const Moment& moment, std::string_view state, const Wish& wish,
                          const std::filesystem::path& file) const;

 private:
  const InspectedPiece piece_;
  const std::string device_;
};

}  // namespace warpwise::image
