// The history of each word of memory: its last writer and its last reader (simt/instrument/race_cells.h). Compares a
// new access with those that the cells name, and keeps it there.
//
// Of several readers that nothing orders one is kept, and the mark that there are others: a writer races with one of
// them even if the reader that was kept is the writer itself.
//
// An atomic that follows another one, or a plain write that its block is done with, says nothing of what other blocks
// may do. A plain write beneath them is kept beside them, in the cells of a word that is accessed in parts. Of atomics
// of several blocks the first is kept, unless the later one returns what was there: a thread that has observed an
// atomic comes after it (PTX, Memory Consistency Model, Observation order). So the verdict does not depend on which
// block came first.
#pragma once

#include <optional>

#include "check/race/access_numbers.h"
#include "check/race/cell_memory.h"
#include "check/race/command_history.h"
#include "check/race/race_block.h"
#include "check/race/race_clocks.h"

namespace warpwise::check {

class WordHistory {
 public:
  using Number = RaceNumbers::Number;

  WordHistory(CellMemory& cells, const AccessNumbers& numbers, const RaceClocks& clocks, const RaceBlocks& blocks,
              const CommandHistory& history)
      : cells_(cells), numbers_(numbers), clocks_(clocks), blocks_(blocks), history_(history) {}

  // `blocks`: how many the launch has.
  void begin_launch(uint64_t blocks) { one_block_ = blocks == 1; }

  // `now`, an access of `block`, to `bytes` from `address` on. `conflicts` has two functions, called before `now` is
  // kept:
  //
  //     with(before)                  an earlier access of this launch, or of one unordered with it; one of the two
  //                                   writes, and whether they race remains to be decided
  //     with_unnamed_reader(before)   `now` writes what other threads have read; the one that was kept is `now`'s own
  template <class Conflicts>
  void add(const RaceAccess& now, bool reads, MemorySpace space, const BlockClocks& block, device::Address address,
           size_t bytes, const Conflicts& conflicts) {
    const Addition<Conflicts> addition{now, reads, space, block, conflicts};
    if (bytes < 4) {
      CellMemory::Word& parts = cells_.of_bytes(address);
      for (device::Address at = address; at < address + bytes && at / 4 == address / 4; ++at)
        add(addition, parts[at % 4].cell());
      return;
    }
    for (device::Address at = address; at < address + bytes; at += 4) {
      const CellMemory::Cell cell = CellMemory::of_word(at);
      if (cell.write == simt::kSplitCell) cells_.merge(at, numbers_.first_of(space));
      if (cell.write != simt::kSplitCell && !(now.writes && lies_beneath(now, space, block, cell.write))) {
        add(addition, cell);
      } else {
        for (CellMemory::ByteCell& byte : cells_.of_bytes(at)) add(addition, byte.cell());
      }
    }
  }

  // What the lanes of one event have found out about earlier accesses. A warp makes an access together, so what orders
  // one of its lanes orders all: their numbers, which differ in the low bits alone, are kept here without these.
  struct Found {
    Number writers_before = 0, readers_before = 0, readers_beside = 0;
    // Of plain reads: the writers with which they race, each but for its own reads, and what that is counted as.
    Number racing_writers = 0;
    FindingSink::Cause race = 0;

    // `conflicts` has found a plain read to race with what `writer` wrote.
    void races_with(const RaceAccess& writer, FindingSink::Cause cause) {
      if (cause != 0) racing_writers = of_warp(writer.number), race = cause;
    }
  };
  // A plain read of whole words by the thread of `number`, as add() takes it where nothing has written the words since
  // what is over or ordered before, or where `found` says that it is a race: most reads are of the first kind, and in a
  // tile without its barrier most are of the second. Returns how many words race, to be counted as `found.race`;
  // nullopt: add() decides.
  std::optional<unsigned> add_plain_read(Number number, unsigned warp, MemorySpace space, const BlockClocks& block,
                                         device::Address address, size_t bytes, Found& found) const {
    const RaceNumbers& numbers = numbers_.of(space);
    const Number first = numbers_.first_of(space);
    unsigned races = 0;
    for (device::Address at = address; at < address + bytes; at += 4) {
      const CellMemory::Cell cell = CellMemory::of_word(at);
      if (cell.write >= first && of_warp(cell.write) == found.racing_writers)
        races += !numbers.is_same(cell.write, number);
      else if (cell.write >= first && !is_writer_before(cell.write, warp, space, block, found))
        return std::nullopt;
      if (cell.read >= first && !numbers.has(cell.read)) return std::nullopt;
      keep_plain_reader(number, warp, space, block, cell, found);
    }
    return races;
  }
  // The same for all threads of a warp, which read the same words: what add_plain_read() makes of one thread after the
  // other, whose numbers begin with `number`. Mostly the last one is kept, or an earlier reader of another instruction,
  // and two threads tell. False: nothing is added.
  bool add_broadcast(Number number, unsigned warp, MemorySpace space, const BlockClocks& block, device::Address address,
                     size_t bytes, Found& found) const {
    constexpr Number kStep = 2, kLast = kStep * (simt::kLanes - 1);
    const RaceNumbers& numbers = numbers_.of(space);
    const Number first = numbers_.first_of(space);
    for (device::Address at = address; at < address + bytes; at += 4) {
      const CellMemory::Cell cell = CellMemory::of_word(at);
      if (cell.read >= first && !numbers.has(cell.read)) return false;
      if (cell.write < first) continue;
      if (of_warp(cell.write) == found.racing_writers || !is_writer_before(cell.write, warp, space, block, found))
        return false;
    }
    for (device::Address at = address; at < address + bytes; at += 4) {
      const CellMemory::Cell cell = CellMemory::of_word(at);
      for (Number n : {number, number + kStep}) keep_plain_reader(n, warp, space, block, cell, found);
      if (of_warp(cell.read) == found.readers_beside && (cell.read & simt::kMarked)) {
        if (cell.read == ((number + kStep) | simt::kMarked)) cell.read = (number + kLast) | simt::kMarked;
        if (cell.read == ((number + kLast) | simt::kMarked) || !numbers.is_one_instruction(cell.read, number)) continue;
      }
      for (Number n = number + 2 * kStep; n <= number + kLast; n += kStep)
        keep_plain_reader(n, warp, space, block, cell, found);
    }
    return true;
  }

  // Whether this thread of the block is the word's last writer, in this launch.
  bool is_written_by(MemorySpace space, Serial serial, uint32_t thread, device::Address word) const;
  // The word's last write takes place now: in the epoch, of the same block and launch, that begins with `epoch`.
  void date_write(MemorySpace space, device::Address word, Number epoch);

  // Shared memory is used again by the next block, which has nothing to do with what the last one left there.
  bool is_of_ended_block(MemorySpace space, Serial serial) const {
    return space == kShared && !blocks_.is_under_way(serial);
  }

 private:
  template <class Conflicts>
  struct Addition {
    const RaceAccess& now;
    bool reads;
    MemorySpace space;
    const BlockClocks& block;
    const Conflicts& conflicts;
  };

  template <class Conflicts>
  void add(const Addition<Conflicts>& a, CellMemory::Cell cell) {
    const RaceNumbers& numbers = numbers_.of(a.space);
    const Number first = numbers_.first_of(a.space), own = a.now.number;
    auto is_other = [&](Number number) { return number >= first && !numbers.is_same(number, own); };
    if (is_other(cell.write)) a.conflicts.with(numbers_.access_of(a.space, cell.write, true));
    if (cell.plain && is_other(*cell.plain)) a.conflicts.with(numbers_.access_of(a.space, *cell.plain, true));
    if (a.now.writes) {
      if (is_other(cell.read))
        a.conflicts.with(numbers_.access_of(a.space, cell.read, false));
      else if (cell.read >= first && (cell.read & simt::kMarked))
        a.conflicts.with_unnamed_reader(numbers_.access_of(a.space, cell.read, false));
      keep_writer(a.now, a.space, a.block, cell);
    } else if (a.reads) {
      keep_reader(a.now, a.space, a.block, cell);
    }
  }

  void keep_writer(const RaceAccess& now, MemorySpace space, const BlockClocks& block, CellMemory::Cell cell) const;
  void keep_reader(const RaceAccess& now, MemorySpace space, const BlockClocks& block, CellMemory::Cell cell) const;
  // `number` reads a word that was not read before, or by a thread of this launch.
  void keep_plain_reader(Number number, unsigned warp, MemorySpace space, const BlockClocks& block,
                         CellMemory::Cell cell, Found& found) const {
    if (cell.read < numbers_.first_of(space))
      cell.read = number;
    else if (!numbers_.of(space).is_same(cell.read, number))
      cell.read =
          is_reader_before(cell.read, warp, space, block, found) ? number : kept_reader(space, cell.read, number);
  }
  static Number of_warp(Number number) { return number / simt::numbers_of_site(simt::kLanes); }
  bool is_writer_before(Number writer, unsigned warp, MemorySpace space, const BlockClocks& block, Found& found) const {
    return of_warp(writer) == found.writers_before || find_writer_before(writer, warp, space, block, found);
  }
  bool is_reader_before(Number reader, unsigned warp, MemorySpace space, const BlockClocks& block, Found& found) const {
    if (of_warp(reader) == found.readers_beside) return false;
    return of_warp(reader) == found.readers_before || find_reader_before(reader, warp, space, block, found);
  }
  bool find_writer_before(Number writer, unsigned warp, MemorySpace space, const BlockClocks& block,
                          Found& found) const;
  bool find_reader_before(Number reader, unsigned warp, MemorySpace space, const BlockClocks& block,
                          Found& found) const;
  bool lies_beneath(const RaceAccess& now, MemorySpace space, const BlockClocks& block, Number before) const;
  bool stays(const RaceAccess& now, MemorySpace space, const BlockClocks& block, Number before) const;
  // Which reader of a word is kept, when neither is over: the first, but of one instruction that of the highest number.
  // It is mostly thread 0 that writes what all have read, and a thread that writes its own word that reads its
  // neighbour's first.
  Number kept_reader(MemorySpace space, Number kept, Number reader) const {
    return (numbers_.of(space).is_one_instruction(kept, reader) && kept < reader ? reader : kept) | simt::kMarked;
  }
  bool is_ordered(const BlockClocks& block, const RaceAccess& before, const RaceAccess& now) const {
    return clocks_.is_before(block, now.warp(), before.serial, before.warp(), before.clock);
  }

  CellMemory& cells_;
  const AccessNumbers& numbers_;
  const RaceClocks& clocks_;
  const RaceBlocks& blocks_;
  const CommandHistory& history_;
  bool one_block_ = false;
};

}  // namespace warpwise::check
