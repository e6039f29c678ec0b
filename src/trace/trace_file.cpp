#include "trace/trace_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/step_columns.h"

namespace warpwise::trace {

Result<std::unique_ptr<TraceFile>> TraceFile::read_with(std::unique_ptr<FileReader> reader) {
  std::unique_ptr<TraceFile> file(new TraceFile);
  file->reader_ = std::move(reader);
  const ChunkEntry* entry = file->reader_->find(ChunkKind::Recording);
  if (!entry) return Error{"V0005", "the file has no recording"};
  file->recording_ = TRY(recording_from_json(TRY(file->reader_->payload(*entry))));
  TRY(file->check_chunks());
  return file;
}

Result<std::unique_ptr<TraceFile>> TraceFile::open(const std::string& path) {
  return read_with(TRY(FileReader::open(path)));
}
Result<std::unique_ptr<TraceFile>> TraceFile::read(std::string_view bytes) {
  return read_with(TRY(FileReader::read(bytes)));
}

// A warp's chunks follow one another, and hold what the recording says.
Result<void> TraceFile::check_chunks() {
  chunks_.resize(recording_.warps.size());
  for (const ChunkEntry& entry : reader_->chunks()) {
    if (entry.kind != ChunkKind::Steps) continue;
    if (entry.warp >= chunks_.size() || entry.count == 0 || entry.count > kChunkSteps)
      return Error{"V0005", "a chunk of steps names no warp of the block, or has no possible number of steps"};
    chunks_[entry.warp].push_back(entry);
  }
  for (size_t w = 0; w < chunks_.size(); ++w) {
    const WarpInfo& warp = recording_.warps[w];
    uint64_t next = warp.first;
    std::sort(chunks_[w].begin(), chunks_[w].end(),
              [](const ChunkEntry& a, const ChunkEntry& b) { return a.first < b.first; });
    for (const ChunkEntry& entry : chunks_[w]) {
      if (entry.first != next) return Error{"V0005", fmt::format("steps of warp {} are missing", w)};
      next += entry.count;
    }
    if (next != warp.first + warp.count) return Error{"V0005", fmt::format("steps of warp {} are missing", w)};
  }
  return {};
}

Result<TraceFile::Chunk> TraceFile::chunk(const ChunkEntry& entry) {
  if (auto kept = kept_.find(entry.offset); kept != kept_.end()) return kept->second;
  std::vector<Step> steps = TRY(decode_steps(TRY(reader_->payload(entry)), recording_.sites));
  if (steps.size() != entry.count) return Error{"V0005", "a chunk has another number of steps than the index says"};
  const uint32_t threads = recording_.warps[entry.warp].threads;
  const uint32_t lanes = threads == kLanes ? ~0u : (1u << threads) - 1;
  auto placed = std::make_shared<std::vector<PlacedStep>>();
  placed->reserve(steps.size());
  uint64_t number = entry.first, phase = entry.phase, clock = entry.clock;
  for (Step& step : steps) {
    if ((step.active & ~lanes) != 0) return Error{"V0005", "a step has lanes that its warp has not"};
    const Site& site = recording_.sites[step.site];
    clock += site.clocks;
    const bool passes = site.kind == SiteKind::Barrier && step.on != 0;
    placed->push_back({std::move(step), number++, phase, clock});
    phase += passes;
  }
  if (kept_.size() >= kKept) kept_.clear();
  return kept_[entry.offset] = std::move(placed);
}

Result<std::vector<PlacedStep>> TraceFile::steps(uint32_t warp, uint64_t first, uint64_t count) {
  std::vector<PlacedStep> steps;
  if (warp >= chunks_.size()) return steps;
  const uint64_t end = first + count < first ? ~uint64_t{0} : first + count;
  const auto& chunks = chunks_[warp];
  auto at = std::upper_bound(chunks.begin(), chunks.end(), first,
                             [](uint64_t step, const ChunkEntry& entry) { return step < entry.first; });
  if (at != chunks.begin()) --at;
  for (; at != chunks.end() && at->first < end; ++at) {
    const Chunk all = TRY(chunk(*at));
    for (const PlacedStep& step : *all)
      if (step.number >= first && step.number < end) steps.push_back(step);
  }
  return steps;
}

Result<std::vector<WarpOverview>> TraceFile::overview() const {
  const ChunkEntry* entry = reader_->find(ChunkKind::Overview);
  if (!entry) return std::vector<WarpOverview>{};
  return decode_overview(TRY(reader_->payload(*entry)));
}

Result<std::vector<std::vector<Arrival>>> TraceFile::arrivals() const {
  const ChunkEntry* entry = reader_->find(ChunkKind::Barriers);
  if (!entry) return std::vector<std::vector<Arrival>>{};
  return decode_arrivals(TRY(reader_->payload(*entry)));
}

Result<Findings> TraceFile::findings() const {
  const ChunkEntry* entry = reader_->find(ChunkKind::Findings);
  if (!entry) return Findings{};
  return findings_from_json(TRY(reader_->payload(*entry)));
}

Result<std::vector<SourceFile>> TraceFile::sources() const {
  const ChunkEntry* entry = reader_->find(ChunkKind::Sources);
  if (!entry) return std::vector<SourceFile>{};
  return sources_from_json(TRY(reader_->payload(*entry)));
}

Result<std::string> TraceFile::profile() const {
  const ChunkEntry* entry = reader_->find(ChunkKind::Profile);
  if (!entry) return std::string();
  return reader_->payload(*entry);
}

}  // namespace warpwise::trace
