#include "simt/block/region_passes.h"

#include <llvm/ADT/STLExtras.h>

#include "simt/analysis/block_uniformity.h"
#include "simt/block/hoist_block_constants.h"
#include "simt/block/hoist_block_reads.h"
#include "simt/block/hoist_into_prologue.h"
#include "simt/block/interleave_warps.h"
#include "simt/block/skip_inactive_warps.h"
#include "simt/block/split_at_barriers.h"
#include "simt/instrument/events.h"
#include "simt/instrument/expand_events.h"
#include "simt/instrument/redundant_events.h"
#include "simt/instrument/redundant_race_checks.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Code with checks: what the cut into regions decides about them.
Result<void> decide_checks(Module& module, Regions& regions, RedundantEvents redundant, uint32_t watch,
                           PassRunner& passes) {
  if (watch == 0 || watch & kWatchEvery) return {};
  redundant.barriers = redundant.barriers && regions.agree;
  TRY(passes.run("drop_redundant_events", module, [&] {
    for (BlockRegion& region : regions.regions) drop_redundant_events(*region.function, redundant);
  }));
  if (!(watch & kWatchOrder)) return {};
  TRY(passes.run("answer_race_questions", module, [&] {
    for (BlockRegion& region : regions.regions) {
      answer_race_questions(*region.function, regions.agree);
      if (regions.agree) mark_barriers_as_reported_by_block(*region.function);
      region.quiet = !concerns_races(*region.function);
    }
  }));
  regions.reports_barriers = true;
  return {};
}

// Where all warps take the same way from region to region, and in any order: how the walk over the warps gets faster.
Result<void> quicken_walk(Module& module, Regions& regions, const BlockShape& block, PassRunner& passes) {
  TRY(passes.run("interleave_warps", module, [&] {
    bool changed = false;
    for (BlockRegion& region : regions.regions) {
      const RegionArguments arguments{region.function->getArg(1), region.function->getArg(2), regions.frame_bytes};
      region.warps = interleaved_warps(*region.function, arguments, block.warps());
      if (region.warps == 1) continue;
      region.scatters = interleave_warps(*region.function, arguments, region.warps);
      changed = true;
    }
    return changed;
  }));
  TRY(passes.run("transpose_scatters", module, [&] {
    bool changed = false;
    for (BlockRegion& region : regions.regions)
      for (const SideBySide& scatters : std::exchange(region.scatters, {})) changed |= transpose_scatters(scatters);
    return changed;
  }));
  TRY(passes.run("unroll_warps", module, [&] {
    for (BlockRegion& region : regions.regions) region.unrolled = is_worth_unrolling(regions, region, block);
    return false;  // walk_warps lays them out
  }));
  TRY(passes.run("skip_inactive_warps", module, [&] {
    bool changed = false;
    for (BlockRegion& region : regions.regions) {
      if (region.warps > 1 || region.unrolled) continue;
      region.may_skip = skip_inactive_warps(*region.function, region.function->getArg(1), region.function->getArg(4));
      changed |= region.may_skip;
    }
    return changed;
  }));
  return {};
}

}  // namespace

Result<BlockFunction> run_region_passes(Function& warp_function, const BlockShape& block, StringRef name,
                                        const RegionOptions& options, PassRunner& passes) {
  Module& module = *warp_function.getParent();
  TRY(passes.run("hoist_into_prologue", module, [&] { return hoist_into_prologue(warp_function); }));
  // Asked of the whole program of a warp, before it is cut.
  RedundantEvents redundant;
  if (options.watch != 0 && !(options.watch & kWatchEvery)) {
    const BlockUniformity uniform(warp_function, {warp_function.getArg(1)}, BlockUniformity::Loads::Constant);
    redundant = find_redundant_events(warp_function, uniform);
  }
  Regions regions;
  TRY(passes.run("split_at_barriers", module, [&] { regions = split_at_barriers(warp_function, name); }));
  regions.defers = options.defers;
  regions.as_scheduled = options.as_scheduled;
  TRY(decide_checks(module, regions, redundant, options.watch, passes));
  // In a checked order of accesses, every warp must be seen to read for itself.
  if (!(options.watch & kWatchOrder) && !options.as_scheduled && block.warps() > 1)
    TRY(passes.run("hoist_block_reads", module, [&] {
      bool changed = false;
      for (BlockRegion& region : drop_begin(regions.regions)) {
        region.head = hoist_block_reads(*region.function, !regions.agree, regions.common_bytes);
        changed |= region.head != nullptr;
      }
      return changed;
    }));
  if (regions.agree && !options.as_scheduled) TRY(quicken_walk(module, regions, block, passes));
  BlockFunction result;
  TRY(passes.run("walk_warps", module, [&] { result = walk_warps(module, regions, block, name); }));
  TRY(passes.run("hoist_block_constants", module, [&] { return hoist_block_constants(*result.function); }));
  return result;
}

}  // namespace warpwise::simt
