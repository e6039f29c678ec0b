// The observer that records: the steps of one block of one launch.
//
//     launch_begins   is it the launch that was asked for? Then its kernel is compiled to report its steps
//     count_block     the block that was asked for runs that code, the others run as they always do
//     marks           become steps (warp_steps.h, thread_steps.h), steps become chunks (block_recording.h)
//     launch_ends     the file is complete
//
// In independent-thread mode there is one version of the code, and blocks that are not recorded report in vain.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "device/properties.h"
#include "exec/observer.h"

namespace warpwise::trace {

// How many steps are recorded unless something else is asked for, and at most.
constexpr uint64_t kUsualSteps = 65'536, kMostSteps = 16'777'216;

struct RecordRequest {
  std::string path;     // of the file
  std::string symbol;   // of the kernel, in PTX; "": any
  uint64_t launch = 0;  // from 0, counted from the request on
  uint64_t block = 0;   // linear index
  uint64_t first = 0;   // step of each warp
  uint64_t limit = kUsualSteps;
  std::vector<uint32_t> value_lines{};
  // Launches of a kernel of this name alone are counted: "scan" or "scan(float*, int)"; "": any.
  std::string kernel{};
  std::optional<Index3> at{};  // instead of `block`: where it is in the grid
  // Takes why report() has no recording to speak of; empty: it is said on standard error.
  std::function<void(const Error&)> trouble{};
};

class Recorder : public exec::ObserverClient,
                 public exec::MemoryObserver,
                 public exec::LaunchObserver,
                 public exec::FaultObserver,
                 public exec::CountObserver {
 public:
  // From now on launches are counted, and the one that is asked for is recorded.
  virtual void arm(RecordRequest request) = 0;
  // Ends that. What came of it: V0006 when there was no such launch; U0002 when the file could not be written.
  virtual Result<void> disarm() = 0;
  // The same for a program that records itself.
  virtual void report() = 0;
};

// An observer that does nothing until its recorder is armed.
struct RecordingObserver {
  std::shared_ptr<exec::Observer> observer;
  Recorder* recorder;
};
RecordingObserver make_recorder(const device::Properties& device);

}  // namespace warpwise::trace
