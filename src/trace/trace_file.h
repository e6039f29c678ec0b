// An open trace file. open() reads its Recording; steps and the other parts are read when they are asked for, so a file
// of ten million steps opens as fast as a small one.
//
//     auto file = TRY(TraceFile::open("x.wwt"));
//     file->recording().kernel;
//     std::vector<PlacedStep> steps = TRY(file->steps(2, 400, 32));    // warp 2, steps 400 to 431
//
// Not thread-safe: steps() keeps chunks that it has read.
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

// A step, and where it stands in its warp.
struct PlacedStep {
  Step step;
  uint64_t number = 0;  // in its warp, from 0
  uint64_t phase = 0;   // barriers that the warp has passed before this step
  uint64_t clock = 0;   // modelled clocks of the warp's own instructions up to the start of this step
};

class TraceFile {
 public:
  // U0001, V0001 to V0005 (FileReader::open). V0005 also: no recording, or a warp's chunks do not match it.
  static Result<std::unique_ptr<TraceFile>> open(const std::string& path);
  static Result<std::unique_ptr<TraceFile>> read(std::string_view bytes);  // `bytes` must outlive the file

  const FileReader& container() const { return *reader_; }
  const Recording& recording() const { return recording_; }
  // The recorded steps of a warp with numbers in [first, first + count). Empty where none was recorded. V0005: a chunk
  // contradicts the index.
  Result<std::vector<PlacedStep>> steps(uint32_t warp, uint64_t first, uint64_t count);
  // These parts are optional: empty where the file has none. overview() and arrivals() are by warp.
  Result<std::vector<WarpOverview>> overview() const;
  Result<std::vector<std::vector<Arrival>>> arrivals() const;
  Result<Findings> findings() const;
  Result<std::vector<SourceFile>> sources() const;
  Result<std::string> profile() const;  // JSON

 private:
  using Chunk = std::shared_ptr<const std::vector<PlacedStep>>;
  static Result<std::unique_ptr<TraceFile>> read_with(std::unique_ptr<FileReader> reader);
  Result<void> check_chunks();
  Result<Chunk> chunk(const ChunkEntry& entry);

  std::unique_ptr<FileReader> reader_;
  Recording recording_;
  std::vector<std::vector<ChunkEntry>> chunks_;  // of each warp, in order
  // When as many chunks are kept, all are dropped.
  static constexpr size_t kKept = 128;
  std::map<uint64_t, Chunk> kept_;  // by offset
};

}  // namespace warpwise::trace
