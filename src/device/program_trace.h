// The host side of a program, for profilers: its calls of the CUDA libraries, and the ranges with which it names its
// phases (NVTX). A device that is not profiled has no trace (device.h, program_trace()).
//
//     Moment began = trace.now();
//     …                             // submits, waits
//     trace.called("cudaMemcpy", began);
#pragma once

#include <cstdint>
#include <string_view>

namespace warpwise::device {

class ProgramTrace {
 public:
  // A moment of the calling thread, in modelled time.
  struct Moment {
    uint64_t nanoseconds = 0;
    uint64_t waited = 0;    // of these
    uint64_t commands = 0;  // submitted so far, by any thread
  };

  virtual ~ProgramTrace() = default;

  virtual Moment now() = 0;
  // A function that was called at `began` returns.
  virtual void called(std::string_view function, const Moment& began) = 0;
  // A range ends that was opened at `began`; a mark is a range without duration.
  virtual void range_ended(std::string_view name, const Moment& began) = 0;
  virtual void marked(std::string_view name) = 0;
};

}  // namespace warpwise::device
