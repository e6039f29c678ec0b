#include "exec/launch/logged_sums.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <iterator>
#include <thread>
#include <utility>

#include "exec/launch/block_run.h"

namespace warpwise::exec {

using simt::LoggedSums;

namespace {

// For each host thread. Few enough that most logs stay in the processor's caches, and that pieces take at most 16 MiB.
constexpr size_t kEntriesAhead = 4 * simt::kLogEntries, kPiecesAhead = 256;
// So many entries ahead the processor is told what will be added to.
constexpr size_t kAhead = 12;

uint32_t flushed(uint32_t bits) { return (bits & 0x7f800000u) != 0 ? bits : bits & 0x80000000u; }

// What simt/codegen/expand_atomics.h makes of an addition of f32.
template <bool kFlushes>
void add_f32(uint64_t address, uint64_t operand) {
  auto& place = *reinterpret_cast<uint32_t*>(address);
  const uint32_t old = kFlushes ? flushed(place) : place;
  const float sum = std::bit_cast<float>(old) + std::bit_cast<float>(uint32_t(operand));
  const uint32_t bits = std::isnan(sum) ? 0x7fffffffu : std::bit_cast<uint32_t>(sum);
  place = kFlushes ? flushed(bits) : bits;
}

void add_f64(uint64_t address, uint64_t operand) {
  *reinterpret_cast<double*>(address) += std::bit_cast<double>(operand);
}

template <class Add>
void add_each(const LogPiece& piece, Add&& add) {
  for (size_t i = 0; i < piece.size; ++i) {
    __builtin_prefetch(reinterpret_cast<void*>(piece.addresses[std::min(i + kAhead, piece.size - 1)]), 1);
    add(piece.addresses[i], piece.operands[i]);
  }
}

}  // namespace

// --- LogPool

std::unique_ptr<LogPiece> LogPool::take() {
  std::lock_guard lock(mutex_);
  if (spare_.empty()) return std::unique_ptr<LogPiece>(new LogPiece);  // its arrays are filled before they are read
  auto piece = std::move(spare_.back());
  spare_.pop_back();
  return piece;
}

void LogPool::give_back(LogPieces pieces) {
  std::lock_guard lock(mutex_);
  for (auto& piece : pieces) piece->size = 0, spare_.push_back(std::move(piece));
}

// --- SumOrder

void SumOrder::begin(LogPool& pool, unsigned threads) {
  pool_ = &pool;
  most_entries_ = kEntriesAhead * threads;
  most_pieces_ = kPiecesAhead * threads;
}

SumOrder::~SumOrder() {
  for (auto& [first, ended] : waiting_) pool_->give_back(std::move(ended.pieces));  // of a launch that failed
}

void SumOrder::add(const LogPiece& piece) const {
  switch (kind_) {
    case LoggedSums::None:
      break;
    case LoggedSums::F32:
      return add_each(piece, add_f32<false>);
    case LoggedSums::F32Flushed:
      return add_each(piece, add_f32<true>);
    case LoggedSums::F64:
      return add_each(piece, add_f64);
  }
}

void SumOrder::end(uint64_t first, uint64_t last, LogPieces& pieces) {
  if (!is_turn_of(first)) {
    std::lock_guard lock(mutex_);
    // Asked again: who had the turn has looked at what waits under this lock.
    if (!is_turn_of(first)) {
      waiting_pieces_ += pieces.size();
      for (const auto& piece : pieces) waiting_entries_ += piece->size;
      waiting_.emplace(first, Ended{last, std::move(pieces)});
      pieces.clear();
      return;
    }
  }
  for (auto& piece : pieces) add(*piece), piece->size = 0;
  for (uint64_t turn = last;;) {
    Ended next;
    {
      std::lock_guard lock(mutex_);
      auto waiting = waiting_.find(turn);
      if (waiting == waiting_.end()) {
        turn_.store(turn, std::memory_order_release);
        return;
      }
      next = std::move(waiting->second);
      waiting_.erase(waiting);
    }
    waiting_pieces_ -= next.pieces.size();
    for (auto& piece : next.pieces) waiting_entries_ -= piece->size, add(*piece);
    pool_->give_back(std::move(next.pieces));
    turn = next.last;
  }
}

// --- SumLog

void SumLog::begin(simt::BlockContext& context, SumOrder& order) {
  order_ = &order;
  region_count_ = 0;
  context.log_first = context.log_bytes = context.log_next = context.log_end = 0;
  if (!order.logs()) return;
  if (pieces_.empty()) return;
  pieces_[0]->size = 0;
  keep_one(context);
}

void SumLog::keep_one(simt::BlockContext& context) {
  if (pieces_.size() > 1) {
    LogPieces rest(std::make_move_iterator(pieces_.begin() + 1), std::make_move_iterator(pieces_.end()));
    order_->pool().give_back(std::move(rest));
    pieces_.resize(1);
  }
  use_last_piece(context);
}

void SumLog::use_last_piece(simt::BlockContext& context) {
  LogPiece& piece = *pieces_.back();
  context.log_next = reinterpret_cast<uint64_t>(piece.addresses + piece.size);
  context.log_end = reinterpret_cast<uint64_t>(piece.addresses + simt::kLogEntries);
}

// What compiled code has written.
void SumLog::note_size(const simt::BlockContext& context) {
  if (pieces_.empty()) return;
  LogPiece& piece = *pieces_.back();
  piece.size = (context.log_next - reinterpret_cast<uint64_t>(piece.addresses)) / sizeof(uint64_t);
}

void SumLog::ended(simt::BlockContext& context) {
  note_size(context);
  context.sums_pending = 0;
  // A place to log to is found when there is something to log.
  if (pieces_.empty() || pieces_.front()->size == 0) {
    LogPieces none;
    return order_->end(first_, last_, none);
  }
  order_->end(first_, last_, pieces_);
  if (pieces_.empty()) {
    context.log_next = context.log_end = 0;
  } else {
    keep_one(context);
  }
}

void SumLog::add_all(simt::BlockContext& context) {
  context.sums_pending = 0;
  if (pieces_.empty()) return;
  for (auto& piece : pieces_) order_->add(*piece), piece->size = 0;
  keep_one(context);
}

void SumLog::await_turn(BlockRun& run) {
  if (order_->is_turn_of(first_)) return;
  const Clock::time_point begun = Clock::now();
  constexpr unsigned kSpins = 1024;  // some 30 µs: then another thread may have the processor
  for (unsigned spins = 1; !order_->is_turn_of(first_); ++spins) {
    __builtin_ia32_pause();
    if (spins % kSpins != 0) continue;
    if (run.guard.asked_to_leave() || run.launch.has_failed()) run.check_progress(run.running_warp(), 0);
    std::this_thread::yield();
  }
  order_->nanoseconds_waited += uint64_t(std::chrono::nanoseconds(Clock::now() - begun).count());
}

void SumLog::settle(BlockRun& run) {
  note_size(run.context);
  await_turn(run);
  add_all(run.context);
}

const Region* SumLog::region_of(const Arena& arena, uint64_t address) {
  const device::Address at = address - simt::kAliasOffset;
  for (size_t i = 0; i < region_count_; ++i)
    if (regions_[i].contains(at, 1)) return &regions_[i];
  const auto region = arena.find(at);
  if (!region || region->owner == Owner::Engine || region_count_ == regions_.size()) return nullptr;
  if (region->kind != device::MemoryKind::Device && region->kind != device::MemoryKind::Managed) return nullptr;
  return &(regions_[region_count_++] = *region);
}

// Room for entries: a piece behind the others, or one of them, emptied.
void SumLog::add_piece(BlockRun& run) {
  if (order_->is_far_ahead()) {
    settle(run);
    if (!pieces_.empty()) return;
  }
  pieces_.push_back(order_->pool().take());
  use_last_piece(run.context);
}

bool SumLog::add(BlockRun& run, uint32_t lanes, const uint64_t* addresses, const uint64_t* operands) {
  simt::BlockContext& context = run.context;
  note_size(context);
  const size_t element = run.launch.kernel.about().logged_sums == LoggedSums::F64 ? 8 : 4;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint64_t address = addresses[std::countr_zero(rest)];
    const Region* region = region_of(*run.launch.machine.arena, address);
    if (!region || !region->contains(address - simt::kAliasOffset, element)) {
      settle(run);
      return false;
    }
    const uint64_t first = region->base + simt::kAliasOffset;
    if (context.log_bytes == 0) context.log_first = first, context.log_bytes = region->size;
    // Plain accesses that this covers find the sums settled. Between two regions there may be others: they, too.
    const uint64_t end = std::max(first + region->size, context.sums_first + context.sums_bytes);
    context.sums_first = context.sums_bytes == 0 ? first : std::min(first, context.sums_first);
    context.sums_bytes = end - context.sums_first;
  }
  if (pieces_.empty() || pieces_.back()->size + simt::kLanes > simt::kLogEntries) {
    if (!pieces_.empty() && order_->is_turn_of(first_)) {
      add_all(context);
    } else {
      add_piece(run);
    }
  }
  LogPiece& piece = *pieces_.back();
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    piece.addresses[piece.size] = addresses[lane];
    piece.operands[piece.size] = operands[lane];
    ++piece.size;
  }
  context.sums_pending = 1;
  use_last_piece(context);
  return true;
}

}  // namespace warpwise::exec
