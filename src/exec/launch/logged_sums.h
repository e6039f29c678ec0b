// The additions of floats that blocks have logged (simt/scalar/log_sums.h), and memory's turn to get them.
//
//     SumLog     one per host thread: what the blocks that it runs have added since the last time
//     SumOrder   one per launch: whose turn it is, and the logs of blocks that ended before it
//
// Blocks are handed out in order, some at a time. A host thread that has run some adds their log if the logs of all
// blocks before them have been added, and then those behind them that wait. Else its log waits, and the thread goes on.
// So no thread waits for another one, but where a block reads what may have been added to, adds outside the program's
// memory, or is too far ahead.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "exec/memory/arena.h"
#include "simt/abi.h"
#include "simt/compiler.h"

namespace warpwise::exec {

struct BlockRun;

// Entries in the order in which the code has written them.
struct LogPiece {
  uint64_t addresses[simt::kLogEntries];  // host addresses
  uint64_t operands[simt::kLogEntries];   // bits
  size_t size = 0;
};
static_assert(offsetof(LogPiece, operands) == simt::kLogReach);

using LogPieces = std::vector<std::unique_ptr<LogPiece>>;

// Pieces that no log uses, of all launches of a device.
class LogPool {
 public:
  std::unique_ptr<LogPiece> take();  // an empty one
  void give_back(LogPieces pieces);

 private:
  std::mutex mutex_;
  LogPieces spare_;
};

class SumOrder {
 public:
  SumOrder(simt::LoggedSums kind, uint64_t first_place) : kind_(kind), turn_(first_place) {}
  ~SumOrder();
  SumOrder(const SumOrder&) = delete;
  SumOrder& operator=(const SumOrder&) = delete;

  bool logs() const { return kind_ != simt::LoggedSums::None; }
  // Whether all sums of the blocks before this place have been added, and what these have written is visible. The place
  // is where a host thread's blocks begin; it stays its turn until it says that they have ended.
  bool is_turn_of(uint64_t place) const { return turn_.load(std::memory_order_acquire) == place; }
  // Only of who has the turn.
  void add(const LogPiece& piece) const;
  // The blocks of [first, last) have ended. Takes their log out of `pieces`, or leaves empty pieces there.
  void end(uint64_t first, uint64_t last, LogPieces& pieces);
  // Where pieces come from, and how far ahead blocks may run; before the first block of a launch.
  void begin(LogPool& pool, unsigned threads);
  LogPool& pool() const { return *pool_; }
  // So many entries wait that a thread which needs another piece had better wait for its turn.
  bool is_far_ahead() const {
    return waiting_entries_.load(std::memory_order_relaxed) > most_entries_ ||
           waiting_pieces_.load(std::memory_order_relaxed) > most_pieces_;
  }

  // How long host threads have waited for their turn.
  std::atomic<uint64_t> nanoseconds_waited{0};

 private:
  struct Ended {
    uint64_t last = 0;
    LogPieces pieces;
  };

  const simt::LoggedSums kind_;
  std::atomic<uint64_t> turn_;  // the first place whose sums have not been added
  std::mutex mutex_;
  std::map<uint64_t, Ended> waiting_;  // by first place
  LogPool* pool_ = nullptr;
  size_t most_entries_ = 0, most_pieces_ = 0;
  std::atomic<size_t> waiting_entries_{0}, waiting_pieces_{0};
};

class SumLog {
 public:
  // Of a new launch. What one that failed has left is forgotten.
  void begin(simt::BlockContext& context, SumOrder& order);
  // The host thread has got the blocks of [first, last), and the one of them that runs is run.place.
  void takes(uint64_t first, uint64_t last) { first_ = first, last_ = last; }
  void ended(simt::BlockContext& context);
  // Adds what has been logged, when it is its turn: that it then has until its blocks have ended. May end the block.
  void settle(BlockRun& run);
  // Additions that the code has not logged: the window does not cover all lanes, or there is no room. False when they
  // are no additions to the program's memory; then it is the block's turn.
  bool add(BlockRun& run, uint32_t lanes, const uint64_t* addresses, const uint64_t* operands);

 private:
  const Region* region_of(const Arena& arena, uint64_t address);
  void await_turn(BlockRun& run);
  void add_piece(BlockRun& run);
  void add_all(simt::BlockContext& context);
  void keep_one(simt::BlockContext& context);
  void use_last_piece(simt::BlockContext& context);
  void note_size(const simt::BlockContext& context);

  SumOrder* order_ = nullptr;
  uint64_t first_ = 0, last_ = 0;  // places
  LogPieces pieces_;               // the last one is being written
  std::array<Region, 8> regions_;  // that the launch has added to
  size_t region_count_ = 0;
};

}  // namespace warpwise::exec
