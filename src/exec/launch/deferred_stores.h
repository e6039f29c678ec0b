// Stores that other warps of the block do not see until the next synchronisation (simt/scalar/defer_stores.h,
// docs/internals/unordered_accesses.md).
//
// Memory always holds what the warp that runs sees. The log of a warp remembers what its stores overwrote:
//
//     warp 0 runs:   x = 5    note(x: 1), then the store       memory: 5   log 0: x: 1
//     warp 0 stops:  hide()                                    memory: 1   log 0: x: 5
//     warp 1 runs:   reads 1, x = 7                            memory: 7   log 0: x: 5   log 1: x: 1
//     warp 1 stops:  hide()                                    memory: 1   log 0: x: 5   log 1: x: 7
//     barrier:       publish()                                 memory: 7   (in the order of the warps: the last one's
//     stays)
//
// A warp that goes on before the barrier sees its own stores again (show()); one that orders its accesses by itself, by
// an atomic operation or a fence, makes them visible at once (commit()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace warpwise::exec {

// Lanes that are neighbours and access one element each, one behind the other.
struct Neighbours {
  uint64_t address = 0;  // of the first one
  uint32_t lanes = 0;    // 0: they are not, or it is one lane alone
};
Neighbours neighbours(uint32_t mask, const uint64_t* addresses, uint32_t bytes);

class DeferredStores {
 public:
  // The warp is about to store `bytes` (1, 2, 4, 8 or 16) bytes at a host address that can be read.
  void note(uint32_t warp, std::byte* address, uint32_t bytes) {
    const uint64_t at = reinterpret_cast<uint64_t>(address);
    note_lanes(warp, 1, &at, 0, bytes);
  }
  // The same of each lane in `mask`, at the host address addresses[lane] + offset.
  void note_lanes(uint32_t warp, uint32_t mask, const uint64_t* addresses, uint64_t offset, uint32_t bytes);
  // The same of lanes that store one behind the other, which costs a copy of the whole instead of an entry each.
  void note_neighbours(uint32_t warp, std::byte* first, uint32_t lanes, uint32_t bytes);
  // The warp stops: memory is what it was without its stores. Does nothing for a warp that is hidden.
  void hide(uint32_t warp);
  // The warp goes on.
  void show(uint32_t warp);
  // What the warp has stored so far is visible from now on. The warp is running.
  void commit(uint32_t warp);
  // All stores are visible, in the order of the warps.
  void publish();
  // What a hidden warp has stored at an address; false when it is not known to have.
  bool read_hidden(uint32_t warp, const std::byte* address, uint32_t bytes, void* to);
  // Forgets everything: the block has failed.
  void clear();
  bool empty() const { return noted_ == 0; }

 private:
  struct Entry {
    std::byte* address;
    uint64_t other;  // what is not in memory: the old bytes while the warp runs, else the new ones
  };
  // Entries of one size, one after the other in the log. Or what `lanes` lanes store from `span` on, one behind the
  // other: the room of the entries then holds those bytes and no addresses.
  struct Run {
    uint32_t entries;
    uint32_t bytes;  // of an entry or of a lane
    std::byte* span = nullptr;
    uint32_t lanes = 0;

    uint32_t span_bytes() const { return lanes * bytes; }
  };
  // What a log has entered lately. A loop stores to the same places again and again, and the first entry of a place is
  // enough: it has what was there before, and takes in what is there when the warp stops. A place that was displaced
  // here is entered twice, which costs time alone.
  class Recent {
   public:
    // False when it was there.
    bool insert(uint64_t key);
    void forget() { ++epoch_; }

   private:
    static constexpr uint32_t kLog2 = 9;
    struct Place {
      uint64_t key = 0, epoch = 0;
    };
    std::unique_ptr<Place[]> places_;
    uint64_t epoch_ = 1;
  };
  // Eight bytes of memory, and which of them a warp has stored.
  struct Word {
    std::byte bytes[8];
    uint8_t stored = 0;
  };
  struct Log {
    std::vector<Entry> entries;  // the first `count` of them
    size_t count = 0;
    std::vector<Run> runs;
    Recent recent;
    size_t compacted = 0;  // entries that were left when it was last made smaller
    bool hidden = false;
    std::unordered_map<uint64_t, Word> last;  // for read_hidden: address / 8 -> what was stored last
    bool last_is_known = false;
  };
  Log& log_of(uint32_t warp);
  Entry* room_for(Log& log, uint32_t entries);
  void noted(Log& log);
  void append(Log& log, uint32_t mask, const uint64_t* addresses, uint64_t offset, uint32_t bytes);
  // Drops what is entered once more, however long ago it was first.
  void compact(Log& log);
  static void find_last(Log& log);

  std::vector<Log> logs_;  // by warp
  size_t noted_ = 0;
};

}  // namespace warpwise::exec
