#include "exec/launch/repeated_stores.h"

#include <utility>

#include "base/clones.h"

namespace warpwise::exec {
namespace {

constexpr uint64_t kWord = 8;

// All lanes' addresses: no branch, a vector at a time.
WARPWISE_CLONES
bool are_the_same(const uint64_t* known, const uint64_t* addresses, uint64_t offset) {
  uint64_t difference = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) difference |= known[lane] ^ (addresses[lane] + offset);
  return difference == 0;
}

// Whether each lane's address is `bytes` behind the one before.
WARPWISE_CLONES
bool follow_one_another(const uint64_t* addresses, uint64_t bytes) {
  uint64_t difference = 0;
  for (uint32_t lane = 1; lane < 32; ++lane) difference |= addresses[lane] - addresses[lane - 1] - bytes;
  return difference == 0;
}

}  // namespace

Neighbours neighbours(uint32_t mask, const uint64_t* addresses, uint32_t bytes) {
  const uint32_t first = uint32_t(std::countr_zero(mask)), end = uint32_t(std::bit_width(mask));
  const uint32_t shifted = mask >> first;
  if ((shifted & (shifted + 1)) != 0 || end - first < 2 || addresses[first + 1] - addresses[first] != bytes ||
      addresses[end - 1] - addresses[first] != uint64_t{end - first - 1} * bytes)
    return {};
  if (mask == ~0u) return follow_one_another(addresses, bytes) ? Neighbours{addresses[0], 32} : Neighbours{};
  uint64_t difference = 0;
  for (uint32_t lane = first + 1; lane < end; ++lane) difference |= addresses[lane] - addresses[lane - 1] - bytes;
  return difference == 0 ? Neighbours{addresses[first], end - first} : Neighbours{};
}

bool RepeatedStores::has_addresses(const Known& known, const LanesStore& store) const {
  // A span has those of lanes one behind the other, from the first address on.
  if (known.place.span) return neighbours(store.mask, store.addresses, store.bytes).lanes != 0;
  const Addresses& addresses = addresses_[size_t(&known - known_.data())];
  if (store.mask == ~0u) return are_the_same(addresses.data(), store.addresses, store.offset);
  uint64_t difference = 0;
  each_lane(store.mask, [&](uint32_t lane) { difference |= addresses[lane] ^ (store.addresses[lane] + store.offset); });
  return difference == 0;
}

// That of one with other addresses between the first and the last one, or in turns, but rather one that is not known
// than one that is.
RepeatedStores::Known& RepeatedStores::place_for(const LanesStore& store) {
  const uint32_t set = set_of(store);
  Known* place = const_cast<Known*>(known_of(store));
  for (uint32_t n = 0; n < kWays && !place; ++n)
    if (Known& known = known_[set + next_way_++ % kWays]; known.serial < first_serial_) place = &known;
  if (!place) place = &known_[set + next_way_++ % kWays];
  if (place->serial >= first_serial_) ++lost_;
  return *place;
}

void RepeatedStores::add(const LanesStore& store, Place place) {
  make_room();
  Known& known = place_for(store);
  known = {next_serial_++, store.first_address(), store.last_address(), store.mask, store.bytes, store.at_once, place};
  const uint32_t index = uint32_t(&known - known_.data());
  uint64_t taken = 0;
  each_lane(store.mask, [&](uint32_t lane) {
    const uint64_t address = store.addresses[lane] + store.offset;
    if (!place.span) addresses_[index][lane] = address;
    for (uint64_t word = address / kWord; word <= (address + store.bytes - 1) / kWord; ++word)
      if (word != std::exchange(taken, word)) take(word, index);
  });
}

void RepeatedStores::overwritten(const LanesStore& store, uint32_t lanes) {
  if (owned_ != 0)
    each_lane(lanes, [&](uint32_t lane) { overwritten(store.addresses[lane] + store.offset, store.bytes); });
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

// Room for a store more, in a table that is half full at most. No more than kPlaces + kMostLost stores are added until
// the next forget(): each beyond the places has taken that of another one.
void RepeatedStores::make_room() {
  constexpr size_t kMostWords = 64;
  if (2 * (owned_ + kMostWords) <= owners_.size()) return;
  std::vector<Owner> before(2 * owners_.size());
  before.swap(owners_);
  for (const Owner& owner : before)
    if (owner.serial >= first_serial_) owner_of(owner.word) = owner;
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
