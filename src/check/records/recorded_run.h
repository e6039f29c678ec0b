// What the records of a checked program say (record_sink.h writes them). A reader takes whatever comes: the program may
// have been killed, or may have written over its own memory. Lines that are no records are counted and skipped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"

namespace warpwise::check {

// What a file of records says, with the findings of all processes merged by cause, in the order of their arrival.
struct RecordedRun {
  std::vector<Finding> findings;
  std::vector<std::string> not_checked;
  uint64_t dropped = 0;  // further causes that were not kept
  unsigned started = 0;  // processes
  unsigned ended = 0;    // of them, by themselves
  unsigned damaged = 0;  // lines that are no records
};
RecordedRun read_records(std::string_view text);

}  // namespace warpwise::check
