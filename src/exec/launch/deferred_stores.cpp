#include "exec/launch/deferred_stores.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "simt/lane_order.h"

namespace warpwise::exec {
namespace {

// Lists shorter than this are never compacted.
constexpr size_t kLong = size_t{1} << 14;
// Nor is a log asked for what it has before it has had this many entries: most phases store to each word once.
constexpr size_t kAsked = 256;

template <class Word>
uint64_t in_memory(const std::byte* address) {
  Word word;
  std::memcpy(&word, address, sizeof word);
  return word;
}

template <class Word>
void enter_before(StoreList::Entry* entry, uint32_t mask, const uint64_t* addresses, uint64_t offset) {
  each_lane(mask, [&](uint32_t lane) {
    entry->address = reinterpret_cast<std::byte*>(addresses[lane] + offset);
    entry->bits = in_memory<Word>(entry->address);
    ++entry;
  });
}

void enter_before(StoreList& list, uint32_t mask, const uint64_t* addresses, uint64_t offset, uint32_t bytes) {
  StoreList::Entry* entry = list.add(uint32_t(std::popcount(mask)), bytes);
  switch (bytes) {
    case 1:
      return enter_before<uint8_t>(entry, mask, addresses, offset);
    case 2:
      return enter_before<uint16_t>(entry, mask, addresses, offset);
    case 4:
      return enter_before<uint32_t>(entry, mask, addresses, offset);
    default:
      return enter_before<uint64_t>(entry, mask, addresses, offset);
  }
}

template <class Word>
void pack_each(std::byte* to, const uint64_t* values, uint32_t lanes) {
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const Word word = Word(values[lane]);
    std::memcpy(to + lane * sizeof word, &word, sizeof word);
  }
}

void pack(std::byte* to, const uint64_t* values, uint32_t lanes, uint32_t bytes) {
  switch (bytes) {
    case 1:
      return pack_each<uint8_t>(to, values, lanes);
    case 2:
      return pack_each<uint16_t>(to, values, lanes);
    case 4:
      return pack_each<uint32_t>(to, values, lanes);
    default:
      std::memcpy(to, values, size_t{8} * lanes);
  }
}

}  // namespace

std::pair<DeferredStores::Recent::Place&, bool> DeferredStores::Recent::insert(uint64_t key) {
  if (!places_) places_ = std::make_unique<Place[]>(size_t{1} << kLog2);
  Place& place = places_[(key * kGoldenRatio) >> (64 - kLog2)];
  if (place.key == key && place.epoch == epoch_) return {place, true};
  place = {key, epoch_, kUnknown};
  return {place, false};
}

void DeferredStores::Recent::forget_stored() {
  for (size_t n = 0; places_ && n < size_t{1} << kLog2; ++n) places_[n].stored = kUnknown;
}

DeferredStores::Log& DeferredStores::log_of(uint32_t warp) {
  if (warp >= logs_.size()) logs_.resize(warp + 1);
  return logs_[warp];
}

bool DeferredStores::note_again(Log& log, const LanesStore& store, const uint64_t* values) {
  const std::optional<RepeatedStores::Place> place = log.repeated->find(store);
  if (!place) return false;
  StoreList::Entry* entry = &log.stored.entry(place->entry);
  if (place->span)
    pack(reinterpret_cast<std::byte*>(entry), values + store.first_lane(), store.last_lane() - store.first_lane() + 1,
         store.bytes);
  else
    simt::each_storing_lane(store.mask, store.at_once, [&](uint32_t lane) { entry++->bits = values[lane]; });
  log.last_is_known = false;
  return true;
}

// Once a log is asked it is asked until the next commit, also if it has become shorter: what is entered without a
// question would not be known to `recent`.
bool DeferredStores::is_asked(Log& log) {
  if (!log.asked && log.stored.size() >= kAsked) {
    log.asked = true;
    if (!log.repeated) log.repeated = std::make_unique<RepeatedStores>();
  }
  return log.asked;
}

void DeferredStores::note_lanes(uint32_t warp, const LanesStore& store, const uint64_t* values) {
  Log& log = log_of(warp);
  const auto [mask, addresses, offset, bytes, at_once] = store;
  uint32_t fresh = mask, anew = mask;  // lanes to enter in `before`, in `stored`
  // Entries of one size do not overlap in part, so what is stored may take the place of what was stored there.
  const bool in_place = log.stored.only_size() == bytes;
  const size_t first = log.stored.size();
  const bool asked = is_asked(log), repeated = asked && log.repeated->is_repeated(store);
  if (asked) {
    size_t next = first;
    simt::each_storing_lane(mask, at_once, [&](uint32_t lane) {
      const uint32_t bit = 1u << lane;
      auto [place, known] = log.recent.insert(key_of_place(addresses[lane] + offset, bytes));
      if (known) fresh ^= bit;
      if (known && in_place && !repeated && place.stored < log.stored.size()) {
        log.stored.entry(place.stored).bits = values[lane];
        anew ^= bit;
      } else {
        place.stored = in_place ? next++ : Recent::kUnknown;
      }
    });
  }
  if (fresh) enter_before(log.before, fresh, addresses, offset, bytes);
  if (anew) {
    StoreList::Entry* entry = log.stored.add(uint32_t(std::popcount(anew)), bytes);
    simt::each_storing_lane(anew, at_once, [&](uint32_t lane) {
      *entry++ = {reinterpret_cast<std::byte*>(addresses[lane] + offset), values[lane]};
    });
  }
  if (repeated)
    log.repeated->add(store, {first, false});
  else if (asked)
    log.repeated->overwritten(store, anew);
  noted(log);
}

void DeferredStores::note_neighbours(uint32_t warp, const LanesStore& store, const uint64_t* values) {
  Log& log = log_of(warp);
  const uint32_t lanes = store.last_lane() - store.first_lane() + 1, bytes = store.bytes;
  std::byte* first = reinterpret_cast<std::byte*>(store.first_address());
  const bool repeated = is_asked(log) && log.repeated->is_repeated(store);
  if (!log.recent.insert(key_of_span(first, lanes * bytes)).second)
    std::memcpy(log.before.add_span(first, lanes, bytes), first, size_t{lanes} * bytes);
  const size_t entry = log.stored.size();
  pack(log.stored.add_span(first, lanes, bytes), values + store.first_lane(), lanes, bytes);
  if (repeated)
    log.repeated->add(store, {entry, true});
  else if (log.asked)
    log.repeated->overwritten(store.first_address(), uint64_t{lanes} * bytes);
  noted(log);
}

void DeferredStores::noted(Log& log) {
  any_ = true;
  log.last_is_known = false;
  if (log.before.size() > std::max(kLong, 2 * log.before_compacted)) {
    log.before.keep_first();
    log.before_compacted = log.before.size();
  }
  if (log.stored.size() > std::max(kLong, 2 * log.stored_compacted)) {
    log.stored.keep_last();
    log.stored_compacted = log.stored.size();
    log.recent.forget_stored();
    if (log.repeated) log.repeated->forget();
  }
}

void DeferredStores::hide(uint32_t warp) {
  Log& log = log_of(warp);
  if (log.hidden) return;
  log.hidden = true;
  log.before.write_memory_backwards();
}

void DeferredStores::show(uint32_t warp) {
  Log& log = log_of(warp);
  if (!log.hidden) return;
  log.hidden = false;
  log.before.read_memory();
  log.stored.write_memory();
}

void DeferredStores::commit(uint32_t warp) {
  Log& log = log_of(warp);
  log.before.clear();
  log.stored.clear();
  log.recent.forget();
  log.asked = false;
  if (log.repeated) log.repeated->forget();
  log.before_compacted = log.stored_compacted = 0;
  log.last_is_known = false;
}

void DeferredStores::publish() {
  for (uint32_t warp = 0; any_ && warp < logs_.size(); ++warp) hide(warp);
  for (uint32_t warp = 0; warp < logs_.size(); ++warp) {
    logs_[warp].hidden = false;
    if (!any_) continue;
    logs_[warp].stored.write_memory();
    commit(warp);
  }
  any_ = false;
}

// In the order of the entries: of those that overlap, what the last one has is what was stored last.
void DeferredStores::find_last(Log& log) {
  log.last.clear();
  log.stored.for_each([&](const std::byte* address, const std::byte* from, uint32_t bytes) {
    for (uint32_t n = 0; n < bytes; ++n) {
      const uint64_t at = reinterpret_cast<uint64_t>(address) + n;
      Word& word = log.last[at / sizeof word.bytes];
      word.bytes[at % sizeof word.bytes] = from[n];
      word.stored |= uint8_t(1 << at % sizeof word.bytes);
    }
  });
  log.last_is_known = true;
}

bool DeferredStores::read_hidden(uint32_t warp, const std::byte* address, uint32_t bytes, void* to) {
  if (warp >= logs_.size() || !logs_[warp].hidden) return false;
  Log& log = logs_[warp];
  if (!log.last_is_known) find_last(log);
  for (uint32_t n = 0; n < bytes; ++n) {
    const uint64_t at = reinterpret_cast<uint64_t>(address) + n;
    const auto word = log.last.find(at / sizeof(Word::bytes));
    if (word == log.last.end() || (word->second.stored >> at % sizeof(Word::bytes) & 1) == 0) return false;
    static_cast<std::byte*>(to)[n] = word->second.bytes[at % sizeof(Word::bytes)];
  }
  return true;
}

void DeferredStores::clear() {
  logs_.clear();
  any_ = false;
}

}  // namespace warpwise::exec
