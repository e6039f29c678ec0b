#include "check/race/word_history.h"

namespace warpwise::check {

void WordHistory::keep_writer(const RaceAccess& now, MemorySpace space, const BlockClocks& block,
                              CellMemory::Cell cell) const {
  // A thread's own atomic does not hide the plain write before it.
  const bool hides = numbers_.of(space).is_same(cell.write, now.number) && now.strong &&
                     !numbers_.access_of(space, cell.write, true).strong;
  if (hides || stays(now, space, block, cell.write)) return;
  if (cell.plain && !now.strong)
    *cell.plain = 0;
  else if (cell.plain && lies_beneath(now, space, block, cell.write))
    *cell.plain = cell.write;
  cell.write = now.as_writer();
}

void WordHistory::keep_reader(const RaceAccess& now, MemorySpace space, const BlockClocks& block,
                              CellMemory::Cell cell) const {
  const RaceNumbers& numbers = numbers_.of(space);
  if (cell.read < numbers_.first_of(space)) {
    cell.read = now.number;
    return;
  }
  if (numbers.is_same(cell.read, now.number)) return;
  const RaceAccess kept = numbers_.access_of(space, cell.read, false);
  const bool of_launch = numbers.has(cell.read);
  const bool is_over =
      of_launch ? (kept.serial != block.serial && is_of_ended_block(space, kept.serial)) || is_ordered(block, kept, now)
                : !history_.launch_of(cell.read);
  cell.read = is_over ? now.number : kept_reader(space, cell.read, now.number);
}

bool WordHistory::find_writer_before(Number writer, unsigned warp, MemorySpace space, const BlockClocks& block,
                                     Found& found) const {
  if (!numbers_.of(space).has(writer)) return false;
  const RaceNumbers::Meaning m = numbers_.of(space).meaning(writer);
  if (!clocks_.is_before(block, warp, m.serial, m.thread / simt::kLanes, m.clock)) return false;
  found.writers_before = of_warp(writer);
  return true;
}

bool WordHistory::find_reader_before(Number reader, unsigned warp, MemorySpace space, const BlockClocks& block,
                                     Found& found) const {
  const RaceNumbers::Meaning m = numbers_.of(space).meaning(reader);
  const bool before = (m.serial != block.serial && is_of_ended_block(space, m.serial)) ||
                      clocks_.is_before(block, warp, m.serial, m.thread / simt::kLanes, m.clock);
  (before ? found.readers_before : found.readers_beside) = of_warp(reader);
  return before;
}

// A strong write that comes after a plain one of this launch, with which other blocks may yet conflict.
bool WordHistory::lies_beneath(const RaceAccess& now, MemorySpace space, const BlockClocks& block,
                               Number before) const {
  const RaceNumbers& numbers = numbers_.of(space);
  if (space != kGlobal || !now.strong || one_block_ || !numbers.has(before) || numbers.is_same(before, now.number))
    return false;
  const RaceAccess plain = numbers_.access_of(space, before, true);
  return !plain.strong && is_ordered(block, plain, now);
}

// Of atomics of several blocks that nothing orders the first one stays: whatever the later block does itself is
// compared with it.
bool WordHistory::stays(const RaceAccess& now, MemorySpace space, const BlockClocks& block, Number before) const {
  if (space != kGlobal || !now.atomic || now.observes || !numbers_.of(space).has(before)) return false;
  const RaceAccess kept = numbers_.access_of(space, before, true);
  return kept.atomic && kept.serial != now.serial && kept.block_scope == now.block_scope &&
         !is_ordered(block, kept, now);
}

bool WordHistory::is_written_by(MemorySpace space, Serial serial, uint32_t thread, device::Address word) const {
  const RaceNumbers& numbers = numbers_.of(space);
  const Number last = CellMemory::of_word(word).write;
  if (!numbers.has(last)) return false;
  const RaceNumbers::Meaning written = numbers.meaning(last);
  return written.serial == serial && written.thread == thread;
}

void WordHistory::date_write(MemorySpace space, device::Address word, Number epoch) {
  const CellMemory::Cell cell = CellMemory::of_word(word);
  cell.write += epoch - numbers_.of(space).meaning(cell.write).epoch;
}

}  // namespace warpwise::check
