// What happened before what, among the threads of a launch (PTX ISA 8, Memory Consistency Model).
//
// Within a block each warp has a vector clock over the block's warps. Its own component counts the points at which it
// synchronised: a barrier joins the clocks of all warps that waited there; __syncwarp orders a warp's lanes among
// themselves. As long as all warps do nothing but wait at barriers together, all of that is one number. Between blocks
// only one thing orders: a thread releases (a fence, then a strong write) at an address where another then acquires (a
// strong read, then a fence; a barrier counts as one, since the block's threads share what one of them saw). A release
// is kept with the clocks it publishes and with what its block had acquired before, so that chains of blocks (decoupled
// look-back) are followed.
//
// What a warp has fenced, its whole block has behind the next barrier: all threads fence, wait at a barrier, and one of
// them raises the flag. A __threadfence() is a fence.sc, and of two of those one is first, so it synchronises with the
// reader's (PTX, Fence-SC).
//
// Fences and strong accesses of block scope order threads of one block alone. What they would order if their scope were
// wider is kept beside what they do order (Width), so that a race can be recognised as one of scope.
//
// One call at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "device/device.h"

namespace warpwise::check {

constexpr unsigned kMostWarps = 32;
using Clocks = std::vector<uint32_t>;  // by warp

// Blocks of a process, numbered from 1 in the order they begin.
using Serial = uint32_t;

// Which fences and strong accesses count between blocks.
enum Width : unsigned { kDeviceWide, kAnyScope };
constexpr unsigned kWidths = 2;

// An address where a thread released; `count` releases had happened when it was checked.
struct Acquired {
  const struct SyncPlace* place;
  uint32_t count;
  unsigned warp;  // that acquired, at its clock
  uint32_t clock;
};
using Knowledge = std::vector<Acquired>;

struct Release {
  Serial serial;
  unsigned warp;  // that released, and when: the strong write itself, which the clocks below do not cover
  uint32_t clock;
  Clocks clocks[kWidths];                           // empty: nothing is released so far
  std::shared_ptr<const Knowledge> known[kWidths];  // by the block that released
};

// What some chain of releases and acquisitions has brought to a warp: the latest clocks of other blocks, by block.
using Reached = std::unordered_map<Serial, Clocks>;
// How many releases at which places a warp knows of; in order of the places.
using Visible = std::vector<std::pair<const SyncPlace*, uint32_t>>;

// A release publishes what its block released there before, too, so of a block only the last one that was seen counts.
struct SyncPlace {
  std::vector<Release> log;
  std::unordered_map<Serial, std::vector<uint32_t>> by_block;  // indices into the log
  // Of one block's releases (an entry of by_block), the last among the first `count` of the log; null: none. A lock is
  // released thousands of times: of each block the latest kKept are remembered, and the oldest of these stands for
  // those before.
  const Release* last(const std::vector<uint32_t>& own, uint32_t count) const;
  static constexpr size_t kKept = 8;
};

// One block while it runs.
struct BlockClocks {
  Serial serial = 0;
  unsigned warps = 0, threads = 0;
  // All warps have just synchronised: each is at `epoch` and knows all that the others did before. clock[][] is not
  // kept.
  bool together = true;
  uint32_t epoch = 1;
  Clocks clock[kMostWarps];  // clock[w][v]: what warp w knows of warp v
  Clocks fenced[kMostWarps]
               [kWidths];     // clock[w] at the last fence of w, or of a warp it has synchronised with; empty: none
  bool fenced_apart = false;  // a thread has fenced since the last barrier of all warps
  struct Seen {
    SyncPlace* place;
    uint32_t count;
    bool block_scope;
  };
  std::vector<Seen> seen[kMostWarps];  // by strong reads that no fence follows yet
  std::shared_ptr<Knowledge> known[kWidths];
  // What has reached whom, true for what is known now. Behind a barrier it is the same for all warps.
  struct Answers {
    std::map<Visible, Reached> reached;
    const Reached* of_warp[kMostWarps] = {};
  };
  mutable Answers answers[kWidths];
  // At which barrier a thread waits (a warp in SIMT mode by its first thread): number + 1.
  std::vector<uint8_t> waits_at;
  struct Barrier {
    Clocks joined;
    uint32_t warps = 0;
  };
  std::map<unsigned, Barrier> barriers;                   // barriers that a thread has reached
  std::unordered_map<device::Address, Clocks> mbarriers;  // what the threads that arrived knew

  void begin(Serial serial, unsigned threads);
  // Warps of a mask have synchronised.
  void share_fences(uint32_t warps_of_mask);
  void forget_answers() {
    for (Answers& known : answers)
      if (!known.reached.empty()) known = {};
  }
  uint32_t now(unsigned warp) const { return together ? epoch : clock[warp][warp]; }
  // What `warp` knows of the warp `of`.
  uint32_t knows(unsigned warp, unsigned of) const {
    return !together ? clock[warp][of] : warp == of ? epoch : epoch - 1;
  }
  // From here on each warp has clocks of its own.
  void separate();
  // All warps have waited at a barrier, and nothing has been released that they might acquire there.
  void meet();
};

class RaceClocks {
 public:
  // All earlier work has ended.
  void launch_begins() { places_.clear(); }
  // Nothing has been released so far.
  bool only_barriers_order() const { return places_.empty(); }

  // --- events of a warp, or of a thread in independent-thread mode; `thread`: that thread, or the first of the warp
  void barrier(BlockClocks& block, unsigned warp, unsigned thread, unsigned number);
  // All warps of the block at once, behind the barrier.
  void all_warps_arrived(BlockClocks& block);
  void barrier_arrive(BlockClocks& block, unsigned warp, unsigned number);
  void warp_sync(BlockClocks& block, unsigned warp);
  void fence(BlockClocks& block, unsigned warp, bool block_scope);
  // A strong write; `fenced`: it has release semantics of its own.
  void release(BlockClocks& block, unsigned warp, device::Address address, bool fenced, bool block_scope);
  // A strong read; `fenced`: it has acquire semantics of its own.
  void acquire(BlockClocks& block, unsigned warp, device::Address address, bool fenced, bool block_scope);
  void mbarrier_arrive(BlockClocks& block, unsigned warp, device::Address address);
  void mbarrier_await(BlockClocks& block, unsigned warp, device::Address address);
  // Call it before any other event of `thread`: it has passed the barrier at which it waited, and so have all that
  // waited there.
  void resume(BlockClocks& block, unsigned thread) {
    if (block.waits_at[thread] != 0) finish_barrier(block, block.waits_at[thread] - 1u);
  }

  // Did what warp `from` of a block did at `clock` happen before what `warp` of `block` does now?
  bool is_before(const BlockClocks& block, unsigned warp, Serial serial, unsigned from, uint32_t clock,
                 Width width = kDeviceWide) const;
  // The same for strong accesses, for which it is enough that the warp has read what was released: no fence has
  // followed yet, but nothing moves a strong access before the strong read that it depends on.
  bool has_seen(const BlockClocks& block, unsigned warp, Serial serial, unsigned from, uint32_t clock,
                Width width = kDeviceWide) const;
  // Has a warp read what that one wrote, at `clock` and to release, at this very address?
  bool has_read(const BlockClocks& block, unsigned warp, device::Address address, Serial serial, unsigned from,
                uint32_t clock) const;

 private:
  void finish_barrier(BlockClocks& block, unsigned number);
  void take(BlockClocks& block, unsigned warp, const BlockClocks::Seen& seen, bool block_scope);
  void take_all(BlockClocks& block, unsigned warp, bool block_scope);
  static Visible visible_to(const BlockClocks& block, unsigned warp, Width width);
  static Reached reached_from(const Visible& visible, Width width);

  std::unordered_map<device::Address, SyncPlace> places_;
};

}  // namespace warpwise::check
