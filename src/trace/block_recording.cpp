#include "trace/block_recording.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/step_bucket.h"

namespace warpwise::trace {

BlockRecording::BlockRecording(const Sites& sites, uint32_t threads, const Window& window, FileWriter& file)
    : sites_(sites), file_(file), first_(window.first) {
  const uint32_t count = (threads + kLanes - 1) / kLanes;
  per_warp_ = std::max<uint64_t>(window.limit / std::max(count, 1u), 1);
  warps_.resize(count);
  for (uint32_t w = 0; w < count; ++w) {
    warps_[w].info.threads = std::min(kLanes, threads - w * kLanes);
    warps_[w].info.first = first_;
    warps_[w].info.fingerprint = 0xcbf29ce484222325u;
    warps_[w].chunk.kind = ChunkKind::Steps, warps_[w].chunk.warp = w;
  }
}

void BlockRecording::add(uint32_t w, const Step& step) {
  Warp& warp = warps_[w];
  const Site& site = sites_.all[step.site];
  warp.info.clocks += site.clocks;
  const uint64_t number = warp.info.steps++;
  for (const uint64_t word : {uint64_t{step.site}, uint64_t{step.active} << 32 | step.on})
    warp.info.fingerprint = (warp.info.fingerprint ^ word) * 0x100000001b3u;
  warp.overview.add(bucket_of(step, site, warp.info.threads));
  if (number >= first_ && number - first_ < per_warp_) {
    if (warp.steps.count() == 0)
      warp.chunk.first = number, warp.chunk.phase = warp.phase, warp.chunk.clock = warp.info.clocks - site.clocks;
    warp.steps.add(step, site);
    ++warp.info.count;
    if (on_global)
      for (const Access& access : step.accesses)
        if (access.space == Space::Global) on_global(access);
    if (warp.steps.count() == kChunkSteps) end_chunk(warp);
  }
  if (site.kind != SiteKind::Barrier || step.on == 0) return;
  ++warp.phase;
  if (warp.arrivals.size() < kMostArrivals)
    warp.arrivals.push_back({number, warp.info.clocks});
  else
    warp.arrivals_cut = true;
}

void BlockRecording::end_chunk(Warp& warp) {
  if (warp.steps.count() == 0) return;
  warp.chunk.count = warp.steps.count();
  file_.add(warp.chunk, warp.steps.take());
}

void BlockRecording::finish(Recording& recording) {
  std::vector<WarpOverview> overviews;
  std::vector<std::vector<Arrival>> arrivals;
  bool cut = false;
  for (Warp& warp : warps_) {
    end_chunk(warp);
    if (warp.info.count == 0) warp.info.first = 0;
    recording.warps.push_back(warp.info);
    overviews.push_back(std::move(warp.overview));
    arrivals.push_back(std::move(warp.arrivals));
    cut = cut || warp.arrivals_cut;
  }
  file_.add({.kind = ChunkKind::Overview}, encode_overview(overviews));
  file_.add({.kind = ChunkKind::Barriers}, encode_arrivals(arrivals));
  if (cut)
    recording.notes.push_back(fmt::format(
        "modelled clocks are aligned at the first {} barriers of each warp; behind them each warp's clock runs alone",
        kMostArrivals));
}

}  // namespace warpwise::trace
