#include "perf/counters/idle_blocks.h"

#include <algorithm>

namespace warpwise::perf {

namespace {

constexpr double kIdle = 0.5;

}  // namespace

void BlockLog::add(const SilentBlock& block, bool writes) {
  if (!writes) return silent.push_back(block);
  ++writing, instructions += block.instructions;
  last_writing = std::max(last_writing, block.block);
}

IdleBlocks idle_blocks(std::span<const BlockLog* const> logs, uint64_t blocks) {
  uint64_t writing = 0, instructions = 0, last = 0;
  for (const BlockLog* log : logs)
    writing += log->writing, instructions += log->instructions, last = std::max(last, log->last_writing);
  if (writing == 0) return {};
  const double idle = kIdle * double(instructions) / double(writing);
  for (const BlockLog* log : logs)
    for (const SilentBlock& b : log->silent)
      if (double(b.instructions) >= idle) last = std::max(last, b.block);
  IdleBlocks result;
  uint64_t first = blocks;
  for (const BlockLog* log : logs)
    for (const SilentBlock& b : log->silent)
      if (b.block > last) result.counted.push_back(b), first = std::min(first, b.block);
  // Between the last block that is known to work and the first that is known not to, as many as not do.
  if (first < blocks) result.blocks = blocks - first + (first - last - 1) / 2;
  return result;
}

}  // namespace warpwise::perf
