#include "exec/launch/repeated_stores.h"

#include <utility>

namespace warpwise::exec {
namespace {

constexpr uint64_t kWord = 8;

template <class Body>
void each_lane(uint32_t mask, const Body& body) {
  for (; mask; mask &= mask - 1) body(uint32_t(std::countr_zero(mask)));
}

}  // namespace

bool RepeatedStores::has_addresses(const Known& known, const LanesStore& store) const {
  const Addresses& addresses = addresses_[size_t(&known - known_.data())];
  uint64_t difference = 0;
  if (store.mask == ~0u)  // without branches: a vector at a time
    for (uint32_t lane = 0; lane < 32; ++lane) difference |= addresses[lane] ^ (store.addresses[lane] + store.offset);
  else
    each_lane(store.mask,
              [&](uint32_t lane) { difference |= addresses[lane] ^ (store.addresses[lane] + store.offset); });
  return difference == 0;
}

bool RepeatedStores::is_repeated(const LanesStore& store) {
  Known& known = known_[index_of(store)];
  if (known.matches(store)) return lost_ < kMostLost;
  known = {0, store.first_address(), store.last_address(), 0, store.mask, store.bytes};
  return false;
}

void RepeatedStores::add(const LanesStore& store, size_t first_entry) {
  if (!make_room()) {
    lost_ = kMostLost;
    each_lane(store.mask, [&](uint32_t lane) { overwritten(store.addresses[lane] + store.offset, store.bytes); });
    return;
  }
  const uint32_t index = index_of(store);
  Known& known = known_[index];
  known.serial = next_serial_++;
  known.first_entry = first_entry;
  uint64_t taken = 0;
  each_lane(store.mask, [&](uint32_t lane) {
    const uint64_t address = store.addresses[lane] + store.offset;
    addresses_[index][lane] = address;
    for (uint64_t word = address / kWord; word <= (address + store.bytes - 1) / kWord; ++word)
      if (word != std::exchange(taken, word)) take(word, index);
  });
}

void RepeatedStores::overwritten(uint64_t address, uint64_t bytes) {
  if (owned_ == 0) return;
  for (uint64_t word = address / kWord; word <= (address + bytes - 1) / kWord; ++word)
    if (const Owner& owner = owner_of(word); owner.serial >= first_serial_) lose(owner);
}

void RepeatedStores::forget() {
  first_serial_ = next_serial_;
  owned_ = 0;
  lost_ = 0;
}

// That of the word, or a place for it: owners of before first_serial_ are free places.
RepeatedStores::Owner& RepeatedStores::owner_of(uint64_t word) {
  const size_t mask = owners_.size() - 1;
  const int shift = 65 - std::bit_width(owners_.size());
  for (size_t at = (word * kGoldenRatio) >> shift;; at = (at + 1) & mask)
    if (owners_[at].word == word || owners_[at].serial < first_serial_) return owners_[at];
}

// Room for a store more, in a table that is half full at most. A log of more places than that is rare.
bool RepeatedStores::make_room() {
  constexpr size_t kMostWords = 64;
  if (2 * (owned_ + kMostWords) <= owners_.size()) return true;
  if (owners_.size() == kMostOwners) return false;
  std::vector<Owner> before(2 * owners_.size());
  before.swap(owners_);
  for (const Owner& owner : before)
    if (owner.serial >= first_serial_) owner_of(owner.word) = owner;
  return true;
}

void RepeatedStores::take(uint64_t word, uint32_t known) {
  Owner& owner = owner_of(word);
  if (owner.serial < first_serial_)
    ++owned_;
  else if (owner.serial != known_[known].serial)
    lose(owner);
  owner = {word, known_[known].serial, known};
}

void RepeatedStores::lose(const Owner& owner) {
  Known& known = known_[owner.known];
  if (known.serial != owner.serial) return;
  known.serial = 0;
  ++lost_;
}

}  // namespace warpwise::exec
