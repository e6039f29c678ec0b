// A trace file, open: its recording at once, all else when it is asked for. A file of ten million steps opens as fast
// as a small one, because chunks of steps are read when someone looks at them.
//
//     auto file = TRY(TraceFile::open("x.wwt"));
//     file->recording().kernel;
//     std::vector<Step> steps = TRY(file->steps(2, 400, 32));    // of warp 2, from step 400 on
//
// Not for several threads at once: the chunks that were read last are kept.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/file_reader.h"
#include "trace/overview.h"
#include "trace/recording.h"

namespace warpwise::trace {

// A step with its place.
struct PlacedStep {
  Step step;
  uint64_t number = 0;
  uint64_t phase = 0;  // barriers that the warp has passed
  uint64_t clock = 0;  // modelled: of the warp's own instructions until it
};

class TraceFile {
 public:
  // The errors of FileReader::open; V0005 where parts contradict each other, too.
  static Result<std::unique_ptr<TraceFile>> open(const std::string& path);
  static Result<std::unique_ptr<TraceFile>> read(std::string_view bytes);  // they outlive it

  const FileReader& container() const { return *reader_; }
  const Recording& recording() const { return recording_; }
  // Recorded steps of a warp: those of [first, first + count) that there are.
  Result<std::vector<PlacedStep>> steps(uint32_t warp, uint64_t first, uint64_t count);
  // What a file may lack is empty then.
  Result<std::vector<WarpOverview>> overview() const;
  Result<std::vector<std::vector<Arrival>>> arrivals() const;
  Result<Findings> findings() const;
  Result<std::vector<SourceFile>> sources() const;
  Result<std::string> profile() const;  // JSON; ""

 private:
  using Chunk = std::shared_ptr<const std::vector<PlacedStep>>;
  static Result<std::unique_ptr<TraceFile>> read_with(std::unique_ptr<FileReader> reader);
  Result<void> check_chunks();
  Result<Chunk> chunk(const ChunkEntry& entry);

  std::unique_ptr<FileReader> reader_;
  Recording recording_;
  std::vector<std::vector<ChunkEntry>> chunks_;  // of each warp, in order
  // A few chunks for each warp of a block.
  static constexpr size_t kKept = 128;
  std::map<uint64_t, Chunk> kept_;  // by offset
};

}  // namespace warpwise::trace
