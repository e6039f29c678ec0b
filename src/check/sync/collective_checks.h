// Masks of warp collectives that name lanes which do not come, and shuffles from lanes which do not take part: C0403 to
// C0405.
//
//   C0403   A mask names the lane that calls with it.
//   C0404   A lane that a mask names and that does not arrive must not pass a reconvergence point of that collective. A
//           lane that has returned never does:
//
//     if (lane < 16) y = __shfl_sync(~0u, x, 0);      lanes 16 to 31 go past
//
//   C0405   A shuffle's source takes part, or nothing uses what the shuffle gives. Compiled code follows it to where it
//           is used (simt/instrument/undefined_values.h). Where the mask names the source, a shuffle whose result every
//           lane uses is told at once. Whether a missing lane had returned or goes past is known when the block has
//           ended.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "check/sync/sync_places.h"
#include "exec/memory/arena.h"
#include "exec/observer_events.h"
#include "simt/compiler.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

// What the warps of a block that runs have done so far.
struct BlockCollectives {
  // How often each lane has passed each reconvergence point of a collective.
  struct Passes {
    std::vector<std::array<uint32_t, 32>> points;
    std::vector<uint32_t> of(unsigned lane) const;
    // Whether the lane has passed some point more often than the lane that had these counts.
    bool is_past(unsigned lane, const std::vector<uint32_t>& counts) const;
  };
  struct Missed {
    Arrival by;                    // whose mask names the lane
    std::vector<uint32_t> passes;  // of the reconvergence points by then
  };
  struct Warp {
    uint32_t waiting = 0;                                    // lanes that wait at a collective
    std::array<uint32_t, 32> masks{};                        // theirs
    std::array<const simt::Site*, 32> sites{};               // and where
    std::map<uint32_t, Passes> passes;                       // by group of reconvergence points
    std::map<std::pair<uint32_t, unsigned>, Missed> missed;  // by group and lane that did not come
  };
  using Place = std::pair<uint32_t, uint32_t>;  // an instruction: the function's index, its own
  struct Taken {
    Arrival by;
    unsigned source = 0;   // the lane that does not take part
    bool is_used = false;  // by every lane, and the mask names the source
  };
  struct Use {
    Arrival by;
    simt::event::Undefined::Use use{};
  };
  uint32_t threads = 0;
  bool touched = false;  // a lane has been at a collective, or at a point behind one
  std::vector<Warp> warps;
  // Of shuffles: which take from absent lanes, what uses that, and where they stand in independent-thread mode, where
  // who is absent shows in the use alone.
  std::map<Place, Taken> taken;
  std::map<Place, Use> uses;
  std::map<Place, const simt::Site*> shuffles;
  std::set<const simt::Site*> masks_reported;

  void begin(uint32_t thread_count);
};

class CollectiveChecks {
 public:
  explicit CollectiveChecks(SyncReporter& reporter) : reporter_(reporter) {}

  // Lanes of a warp are at a collective; `site`: where, null: not known.
  void arrive(const SyncBlock& block, BlockCollectives& state, const exec::ObservedEvent& event,
              const simt::event::Collective& what, const simt::Site* site);
  // ... at a reconvergence point behind one.
  void pass(const SyncBlock& block, BlockCollectives& state, const exec::ObservedEvent& event);
  // ... use what comes from an absent lane.
  void use(const SyncBlock& block, BlockCollectives& state, const exec::ObservedEvent& event,
           const simt::event::Undefined& what, const simt::Site* site, const exec::Arena& arena);
  // Whatever else threads do, they do not wait any more.
  static void go_on(BlockCollectives& state, const exec::ObservedEvent& event);
  // The block has ended.
  void finish(const SyncBlock& block, BlockCollectives& state);

 private:
  void find_missed(const SyncBlock& block, BlockCollectives& state, BlockCollectives::Warp& warp, uint32_t group,
                   uint32_t absent, const Arrival& by);
  void take(BlockCollectives& state, const Arrival& by, unsigned source, bool is_used);
  void report_taken(const SyncBlock& block, BlockCollectives& state, BlockCollectives::Place place,
                    const BlockCollectives::Use* use);
  void report_missed(const SyncBlock& block, BlockCollectives& state, const Arrival& by, uint32_t missing);

  SyncReporter& reporter_;
};

}  // namespace warpwise::check
