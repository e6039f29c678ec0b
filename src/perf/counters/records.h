// Counts on their way from the profiled program to the command that reports them: a file of JSON lines. Each line is
// one write() to a file opened for appending, so that a crash of the program loses none, and processes that it starts
// may write to the same file.
//
//     {"v":1,"type":"start","pid":71,"device":"h100"}
//     {"type":"launch","pid":71,"kernel":"axpy(...)",...}
//     {"type":"again","pid":71,"of":63,"index":65}                               a launch that was not counted, as 63
//     {"type":"event","pid":71,"kind":"copy to device","bytes":4096,...}
//     {"type":"measured","pid":71,"symbol":"_Z4axpy…","seconds":1.2e-5,...}      by a program that runs on a real GPU
//     {"type":"end","pid":71}
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "device/properties.h"
#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

// The version of the records. It rises when counts change their meaning: then records of an older version are no longer
// a baseline. 2: reads that L2 has lost come from memory; atomics that a block does last are told apart. 3: waits are
// those beyond the clock in which an instruction is issued; branches, gaps, the longest warp. 4: local stores
// reach L2; the longest warp of all; blocks whose work depends on their order. 5: names do not wait for what they name;
// loads of unrolled loops overlap; the loads of the longest warp; memory of the host; pieces behind the first block. 6:
// what the loads find that are waited for. 7: waits by what is waited for. 8: waits past paths
// that do not run, of blocks for each other and of slow divisions; phases. 9: scattered bytes of memory, constants,
// turns of half the length and pieces of twice the size at L2, code that loops run again.
inline constexpr unsigned kRecordsVersion = 9;

class RecordWriter {
 public:
  // U0002 when the file cannot be opened.
  static Result<std::unique_ptr<RecordWriter>> open(const std::string& path, const device::Properties& device);
  ~RecordWriter();
  // The program ends by itself.
  void finish();
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  void write(const LaunchCounts& launch);
  // A launch whose counts are taken to be those of an earlier one.
  void write_again(uint64_t of, uint64_t index);
  void write(const HostEvent& event);
  void write(const MeasuredLaunch& launch);

 private:
  explicit RecordWriter(int fd);
  void write_line(std::string line);

  const int fd_;
  bool finished_ = false;
  const int pid_;
};

// A whole profile as such a file: what `warpwise profile --save` keeps.
std::string to_records(const Profile& profile);

// The profile in a file of records. Lines that are not records make it incomplete.
Profile read_records(std::string_view text);

// One launch as JSON and back; counters that are zero are left out.
std::string launch_to_json(const LaunchCounts& launch);
Result<LaunchCounts> launch_from_json(std::string_view json);

}  // namespace warpwise::perf
