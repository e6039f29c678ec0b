// Stores that other warps do not see until the next synchronisation (simt/scalar/defer_stores.h,
// docs/internals/unordered_accesses.md).
//
// Memory always holds what the warp that runs sees. The log of a warp remembers what its stores overwrite, and what
// they store:
//
//     warp 0 runs:   x = 5    note(x, 5), then the store       memory: 5   log 0: x: 1 before, 5
//     warp 0 stops:  hide()                                    memory: 1
//     warp 1 runs:   reads 1, x = 7                            memory: 7   log 1: x: 1 before, 7
//     warp 1 stops:  hide()                                    memory: 1
//     barrier:       publish()                                 memory: 7   (in the order of the warps: the last one's
//                                                                          stays)
//
// A warp that goes on before the barrier sees its own stores again (show()); one that orders its accesses by itself, by
// an atomic operation or a fence, makes them visible at once (commit()).
//
// What a warp stores is taken from the store itself, never from memory when the warp stops. Blocks that run beside this
// one may store to the same places, mostly the same values, as breadth-first searches do, and hide them in between:
// read from memory then, the old value would be published as the new one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "exec/launch/repeated_stores.h"
#include "exec/launch/store_list.h"
#include "simt/abi.h"

namespace warpwise::exec {

class DeferredStores {
 public:
  // The warp is about to store `value`, of which `bytes` (1, 2, 4 or 8) bytes count, at a host address that can be
  // read.
  void note(uint32_t warp, std::byte* address, uint32_t bytes, uint64_t value) {
    const uint64_t at = reinterpret_cast<uint64_t>(address);
    const LanesStore store{1, &at, 0, bytes, simt::kLanes};
    if (!note_again(warp, store, &value)) note_lanes(warp, store, &value);
  }
  // The same of each lane of the store, which stores values[lane] at host addresses.
  void note_lanes(uint32_t warp, const LanesStore& store, const uint64_t* values);
  // The same, where the warp has made this very store lately, and more cheaply; false, and nothing is done, where it
  // has not.
  bool note_again(uint32_t warp, const LanesStore& store, const uint64_t* values) {
    return warp < logs_.size() && logs_[warp].repeated && note_again(logs_[warp], store, values);
  }
  // The same of lanes that store one behind the other (neighbours()), which costs a copy of the whole instead of an
  // entry each.
  void note_neighbours(uint32_t warp, const LanesStore& store, const uint64_t* values);
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
  bool empty() const { return !any_; }

 private:
  // What a log has entered lately. A loop stores to the same places again and again, and the first entry of a place is
  // enough to know what was there before. A place that was displaced here is entered twice, which costs time alone.
  class Recent {
   public:
    static constexpr size_t kUnknown = ~size_t{0};
    struct Place {
      uint64_t key = 0, epoch = 0;
      size_t stored = kUnknown;  // its entry in Log::stored
    };
    // The place, and whether it was there.
    std::pair<Place&, bool> insert(uint64_t key);
    void forget() { ++epoch_; }
    // The entries of Log::stored have moved.
    void forget_stored();

   private:
    static constexpr uint32_t kLog2 = 9;
    std::unique_ptr<Place[]> places_;
    uint64_t epoch_ = 1;
  };
  // Eight bytes of memory, and which of them a warp has stored.
  struct Word {
    std::byte bytes[8];
    uint8_t stored = 0;
  };
  struct Log {
    StoreList before, stored;
    Recent recent;
    bool asked = false;                                 // it is long enough to ask what it has
    std::unique_ptr<RepeatedStores> repeated;           // in `stored`, of a log that was asked once
    size_t before_compacted = 0, stored_compacted = 0;  // their sizes when they were last made smaller
    bool hidden = false;
    std::unordered_map<uint64_t, Word> last;  // for read_hidden: address / 8 -> what was stored last
    bool last_is_known = false;
  };
  Log& log_of(uint32_t warp);
  static bool note_again(Log& log, const LanesStore& store, const uint64_t* values);
  static bool is_asked(Log& log);
  void noted(Log& log);
  static void find_last(Log& log);

  std::vector<Log> logs_;  // by warp
  bool any_ = false;
};

}  // namespace warpwise::exec
