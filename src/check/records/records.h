// Findings on their way from the program that is checked to the command that shows them: a file of JSON lines.
//
//     {"v":1,"type":"start","pid":71,...}       the process is checked from here on
//     {"type":"finding","pid":71,"id":1,...}    a cause, when it occurs for the first time
//     {"type":"count","pid":71,"id":1,"threads":4096}
//     {"type":"not-watched","pid":71,"what":"..."}
//     {"type":"end","pid":71}                   the process ended by itself: counts are final
//
// Each record is one write() to a file opened for appending, so whatever happens to the program afterwards, what was
// found stays found, and processes that the program starts may write to the same file. The running count of a cause
// is written whenever it has doubled, and at the end. A reader takes whatever comes: lines that are no records of
// this form are counted and skipped.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/finding.h"
#include "base/result.h"

namespace warpwise::check {

constexpr int kRecordVersion = 1;

// One line, without its end. Text that is no UTF-8 is made so; long texts are cut.
std::string finding_to_json(const Finding& finding);
Result<Finding> finding_from_json(std::string_view json);

// Writes records. Merges by cause before it writes; the file stays small whatever the program does.
class RecordSink : public FindingSink {
 public:
  // More causes than this are counted, not kept: a report of so many is not read, and memory has an end.
  static constexpr size_t kMaxCauses = 4096;

  // Appends to the file. U0002 when it cannot be opened.
  static Result<std::shared_ptr<RecordSink>> open(const std::string& path, CheckerSet checkers);
  ~RecordSink() override;
  RecordSink(const RecordSink&) = delete;
  RecordSink& operator=(const RecordSink&) = delete;

  Cause report(Finding finding) override;
  void again(Cause cause, uint64_t threads = 1) override;
  void note_unchecked(std::string_view what) override;
  void note_allocation(AllocationNote note) override;
  void note_free(uint64_t base, HostPlace at) override;

  // The program ends by itself: writes the counts and the end. More may follow, from processes that it started.
  void finish();

 private:
  struct Known {
    uint64_t threads = 0, written = 0;
  };
  struct Noted {
    AllocationNote note;
    bool freed = false;
    HostPlace freed_at;
  };
  RecordSink(int fd, CheckerSet checkers);
  void write(const std::string& line);
  void write_count(Cause cause, Known& known);
  void add_threads(Cause cause, uint64_t threads);
  void fill_in_allocation(MemoryPlace& memory) const;

  std::mutex mutex_;
  int fd_;
  const int pid_;
  std::unordered_map<std::string, Cause> causes_;
  std::vector<Known> known_;  // by Cause - 1
  uint64_t dropped_ = 0, dropped_written_ = 0;
  bool write_failed_ = false;
  std::vector<std::string> not_watched_;
  std::map<uint64_t, Noted> allocations_;  // by base; a freed one until its base is used again
};

// What a file of records says, with the findings of all processes merged by cause, in the order of their arrival.
struct RecordedRun {
  std::vector<Finding> findings;
  std::vector<std::string> not_watched;
  uint64_t dropped = 0;  // further causes that were not kept
  unsigned started = 0;  // processes
  unsigned ended = 0;    // of them, by themselves
  unsigned damaged = 0;  // lines that are no records
};
RecordedRun read_records(std::string_view text);

}  // namespace warpwise::check
