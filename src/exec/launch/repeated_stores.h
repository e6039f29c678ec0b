// Stores that a warp makes again and again: the same lanes, at the same places.
//
//     for (n = 1; n <= steps; ++n)
//       for (k = top; k >= 0; --k) q[column + k * width] -= fall[k];      // 3 places of each lane, 1e6 steps
//
// A log of deferred stores (deferred_stores.h) has an entry for each lane and place. To find them lane by lane costs
// more than the loop itself. Here a store is known as a whole, by its lanes and addresses: one comparison of vectors
// says that it is there, and its entries, which follow one another, take the new values.
//
// That is right as long as no entry behind them is for the same bytes, which the new values would have to overwrite. So
// each eight bytes of memory belong to the store that was entered last, and a store that has lost any of its own is not
// known any more. Stores that overlap in turns are never known for long; they pay for the attempt, up to a limit.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "exec/launch/store_list.h"

namespace warpwise::exec {

// Lanes that are neighbours and access one element each, one behind the other.
struct Neighbours {
  uint64_t address = 0;  // of the first one
  uint32_t lanes = 0;    // 0: they are not, or it is one lane alone
};
Neighbours neighbours(uint32_t mask, const uint64_t* addresses, uint32_t bytes);

// Calls body(lane) for each lane in the mask, in order.
template <class Body>
void each_lane(uint32_t mask, const Body& body) {
  if (mask == ~0u)
    for (uint32_t lane = 0; lane < 32; ++lane) body(lane);
  else
    for (; mask; mask &= mask - 1) body(uint32_t(std::countr_zero(mask)));
}

// What the lanes of a warp store at once.
struct LanesStore {
  uint32_t mask;              // not 0
  const uint64_t* addresses;  // by lane
  uint64_t offset;            // of the bytes from the addresses
  uint32_t bytes;             // of a lane
  // For how many lanes it is made at once: which of those at one place comes last (simt/lane_order.h).
  uint32_t at_once;

  uint32_t first_lane() const { return uint32_t(std::countr_zero(mask)); }
  uint32_t last_lane() const { return uint32_t(std::bit_width(mask)) - 1; }
  uint64_t first_address() const { return addresses[first_lane()] + offset; }
  uint64_t last_address() const { return addresses[last_lane()] + offset; }
};

class RepeatedStores {
 public:
  // Where a store is entered: its first entry, and whether it is a span (store_list.h).
  struct Place {
    size_t entry;
    bool span;
  };
  std::optional<Place> find(const LanesStore& store) const {
    if (owned_ == 0) return {};
    const Known* known = known_of(store);
    if (!known || known->serial < first_serial_ || !has_addresses(*known, store)) return {};
    return known->place;
  }
  // Whether to enter a store anew, all lanes one behind the other, and add() it: it has been seen before. Asked for
  // each that is not found.
  bool is_repeated(const LanesStore& store) {
    const uint32_t tag = tag_of(store);
    auto& [last, before] = seen_[tag >> (32 - kLog2OfSeen)];
    const bool seen = last == tag || before == tag;
    if (last != tag) before = std::exchange(last, tag);
    return seen && lost_ < kMostLost;
  }
  void add(const LanesStore& store, Place place);
  // Another entry for these bytes has been made.
  void overwritten(uint64_t address, uint64_t bytes);
  void overwritten(const LanesStore& store, uint32_t lanes);
  // The entries have moved, or are no more.
  void forget();

 private:
  struct Known {
    uint64_t serial = 0;                           // before first_serial_: it is not known any more
    uint64_t first_address = 0, last_address = 0;  // of the lanes in the mask
    uint32_t mask = 0, bytes = 0, at_once = 0;
    Place place = {0, false};

    bool matches(const LanesStore& store) const {
      return mask == store.mask && bytes == store.bytes && at_once == store.at_once &&
             first_address == store.first_address() && last_address == store.last_address();
    }
  };
  using Addresses = std::array<uint64_t, 32>;
  // Eight bytes of memory: which store was entered for them last.
  struct Owner {
    uint64_t word = 0;
    uint64_t serial = 0;  // before first_serial_: there is none
    uint32_t known = 0;   // where it was in known_
  };

  // Stores with one hash share so many places in known_.
  static constexpr uint32_t kWays = 4, kLog2OfSets = 6, kPlaces = kWays << kLog2OfSets;
  static constexpr size_t kFewestOwners = size_t{1} << 10;
  static constexpr uint32_t kMostLost = 128;

  static uint32_t set_of(const LanesStore& store) {
    const uint64_t key = store.first_address() ^ uint64_t { store.mask } << 32;
    return uint32_t((key * kGoldenRatio) >> (64 - kLog2OfSets)) * kWays;
  }
  const Known* known_of(const LanesStore& store) const {
    const Known* first = known_.data() + set_of(store);
    for (const Known* known = first; known != first + kWays; ++known)
      if (known->matches(store)) return known;
    return nullptr;
  }
  Known& place_for(const LanesStore& store);
  // A number that others hardly have.
  static uint32_t tag_of(const LanesStore& store) {
    const uint64_t key = (store.first_address() ^ uint64_t{store.mask} << 32) * kGoldenRatio;
    return uint32_t((((key ^ key >> 32) + store.last_address()) * kGoldenRatio) >> 32);
  }
  bool has_addresses(const Known& known, const LanesStore& store) const;
  Owner& owner_of(uint64_t word);
  void make_room();
  void take(uint64_t word, uint32_t known);
  void lose(const Owner& owner);

  // The last two of each hash that were not found.
  static constexpr uint32_t kLog2OfSeen = 9;
  std::array<std::array<uint32_t, 2>, size_t{1} << kLog2OfSeen> seen_{};
  std::array<Known, kPlaces> known_;
  std::unique_ptr<Addresses[]> addresses_ = std::make_unique_for_overwrite<Addresses[]>(kPlaces);
  std::vector<Owner> owners_ = std::vector<Owner>(kFewestOwners);
  size_t owned_ = 0;
  uint64_t first_serial_ = 1, next_serial_ = 1;
  uint32_t lost_ = 0, next_way_ = 0;
};

}  // namespace warpwise::exec
