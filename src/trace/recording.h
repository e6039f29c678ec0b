// What is known of a recording besides its steps: the launch, the block, its warps, the sites and source lines, and
// what is not in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "trace/step.h"

namespace warpwise::trace {

// Why this block was recorded.
enum class Choice : uint8_t { Asked, Finding, CostliestLine, First };
std::string_view name_of(Choice choice);

struct WarpInfo {
  uint32_t threads = 0;
  uint64_t steps = 0;  // that it has made
  // Of these, the recorded ones: `count` from `first` on.
  uint64_t first = 0, count = 0;
  uint64_t clocks = 0;  // modelled, of its own instructions
  // Of all steps: sites, active lanes, lanes let through. Warps with the same number of steps and the same fingerprint
  // do the same.
  uint64_t fingerprint = 0;
};

// An allocation that the recorded steps access.
struct Memory {
  uint64_t base = 0, bytes = 0;
  std::string name;   // of a variable; "" for an allocation
  int argument = -1;  // of the kernel: which one points into it; -1: none
};
// A variable in shared memory; `bytes` is 0 for the dynamic part.
struct SharedVariable {
  std::string name;
  uint64_t offset = 0, bytes = 0;
};

struct Recording {
  std::string program, command, tool;  // what ran; how it was started; the version of Warpwise
  std::string device, schedule;        // "h100"; "in-order", "shuffle:7"
  std::string input;                   // JSON: what the launch ran on, as its maker says: a case of the lab; "": none
  std::string kernel, symbol;          // demangled; as in PTX
  uint64_t launch = 0;                 // from 0, in the order in which they ran
  bool independent = false;            // threads ran one by one, and their steps were put together
  bool in_pieces = false;              // ... so far apart that some steps are in several parts
  bool failed = false;                 // the launch ended by a fault
  Index3 grid{1, 1, 1}, block_shape{1, 1, 1}, cluster{1, 1, 1}, block;
  uint64_t dynamic_shared_bytes = 0;
  Choice choice = Choice::First;
  uint64_t limit = 0;      // of recorded steps, all warps together
  uint64_t clock_khz = 0;  // of the modelled clocks
  std::vector<uint32_t> value_lines;
  uint32_t open_warp = 0;  // where a view opens: at the first finding, else at the costliest line
  uint64_t open_step = 0;
  std::vector<WarpInfo> warps;
  std::vector<Site> sites;
  std::vector<std::vector<SourceFrame>> lines;  // innermost frame first; [0] is nowhere
  std::vector<Memory> memories;
  std::vector<SharedVariable> shared;
  std::vector<std::string> notes;  // sentences: what was not recorded
};

std::string to_json(const Recording& recording);
// V0005 where it is none, or where its parts contradict each other.
Result<Recording> recording_from_json(std::string_view json);

// Where a party of a finding stands in the recording: the step at which its thread did it.
struct Mark {
  uint32_t finding = 0, party = 0;
  uint32_t warp = 0, lane = 0;
  uint64_t step = 0;
};
struct Findings {
  bool checked = false;  // false: the program was not checked
  std::vector<Finding> findings;
  std::vector<Mark> marks;
};
std::string to_json(const Findings& findings);
Result<Findings> findings_from_json(std::string_view json);

struct SourceFile {
  std::string name, text;
};
std::string to_json(const std::vector<SourceFile>& files);
Result<std::vector<SourceFile>> sources_from_json(std::string_view json);

}  // namespace warpwise::trace
