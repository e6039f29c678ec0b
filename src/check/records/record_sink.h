// Findings on their way from the program that is checked to the command that shows them: the sink in the program, which
// writes them to a file as lines of JSON (record_json.h). The command reads the file (recorded_run.h).
//
//     auto sink = RecordSink::open(path, checkers).value();
//     const FindingSink::Cause cause = sink->report(finding);   // a line of the file
//     sink->again(cause, 31);                                   // a line now and then
//     sink->finish();                                           // the final counts
//
// Each record is one write() to a file opened for appending, so whatever happens to the program afterwards, what was
// found stays found, and processes that the program starts may write to the same file. The running count of a cause is
// written whenever it has doubled, and at the end.
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
    LaunchOrder order;  // of what was written
  };
  struct Noted {
    AllocationNote note;
    bool freed = false;
    HostPlace freed_at;
  };
  RecordSink(int fd, CheckerSet checkers);
  void write(const std::string& line);
  void write_finding(Cause cause, const Finding& finding);
  void show_if_earlier(Cause cause, Finding finding);
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
  std::vector<std::string> not_checked_;
  std::map<uint64_t, Noted> allocations_;  // by base; a freed one until its base is used again
};

}  // namespace warpwise::check
