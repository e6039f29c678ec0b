#include "exec/launch/deferred_stores.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

namespace warpwise::exec {
namespace {

// A log shorter than this is never compacted.
constexpr size_t kLong = size_t{1} << 14;
// Nor is it asked for the lanes' words before it has this many entries: most phases store to each word once.
constexpr size_t kAsked = 256;
constexpr uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;

uint64_t key_of(const std::byte* address, uint32_t bytes) { return reinterpret_cast<uint64_t>(address) << 5 | bytes; }

// What lanes store one behind the other: 32 of 16 bytes at most. No word has the key of a span.
constexpr uint32_t kLongestSpan = 32 * 16;
uint64_t key_of_span(const std::byte* address, uint32_t bytes) {
  return uint64_t{1} << 63 | reinterpret_cast<uint64_t>(address) << 10 | bytes;
}

// A set of keys that are not 0: one array, no allocation for each key.
class Keys {
 public:
  explicit Keys(size_t most) : slots_(std::bit_ceil(2 * most + 1)), shift_(65 - std::bit_width(slots_.size())) {}
  // False when it was there.
  bool insert(uint64_t key) {
    for (size_t at = (key * kGoldenRatio) >> shift_;; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == key) return false;
      if (slots_[at] == 0) return slots_[at] = key, true;
    }
  }

 private:
  std::vector<uint64_t> slots_;
  int shift_;
};

template <class Word, class Entry>
void swap_each(Entry* entries, uint32_t count, bool backwards) {
  for (uint32_t n = 0; n < count; ++n) {
    Entry& entry = entries[backwards ? count - 1 - n : n];
    Word now;
    std::memcpy(&now, entry.address, sizeof now);
    const Word other = Word(entry.other);
    std::memcpy(entry.address, &other, sizeof other);
    entry.other = now;
  }
}

// Exchanges what is in memory with what is not. Backwards: of entries that overlap the first has the oldest bytes.
template <class Entry>
void swap(Entry* entries, uint32_t count, uint32_t bytes, bool backwards) {
  switch (bytes) {
    case 1:
      return swap_each<uint8_t>(entries, count, backwards);
    case 2:
      return swap_each<uint16_t>(entries, count, backwards);
    case 4:
      return swap_each<uint32_t>(entries, count, backwards);
    default:
      return swap_each<uint64_t>(entries, count, backwards);
  }
}

template <class Word, class Entry>
void write_each(const Entry* entries, uint32_t count) {
  for (const Entry* entry = entries; entry != entries + count; ++entry) {
    const Word word = Word(entry->other);
    std::memcpy(entry->address, &word, sizeof word);
  }
}

// Puts into memory what is not, for good.
template <class Entry>
void write(const Entry* entries, uint32_t count, uint32_t bytes) {
  switch (bytes) {
    case 1:
      return write_each<uint8_t>(entries, count);
    case 2:
      return write_each<uint16_t>(entries, count);
    case 4:
      return write_each<uint32_t>(entries, count);
    default:
      return write_each<uint64_t>(entries, count);
  }
}

template <class Entry>
void swap_span(Entry* kept, std::byte* memory, uint32_t bytes) {
  std::byte before[kLongestSpan];
  std::memcpy(before, memory, bytes);
  std::memcpy(memory, kept, bytes);
  std::memcpy(static_cast<void*>(kept), before, bytes);
}

template <class Word, class Entry>
void enter(Entry* entry, uint32_t mask, const uint64_t* addresses, uint64_t offset) {
  auto one = [&](uint32_t lane) {
    entry->address = reinterpret_cast<std::byte*>(addresses[lane] + offset);
    Word word;
    std::memcpy(&word, entry->address, sizeof word);
    entry->other = word;
    ++entry;
  };
  if (mask == ~0u)
    for (uint32_t lane = 0; lane < 32; ++lane) one(lane);
  else
    for (; mask; mask &= mask - 1) one(uint32_t(std::countr_zero(mask)));
}

}  // namespace

Neighbours neighbours(uint32_t mask, const uint64_t* addresses, uint32_t bytes) {
  const uint32_t first = uint32_t(std::countr_zero(mask)), end = uint32_t(std::bit_width(mask));
  const uint32_t shifted = mask >> first;
  if ((shifted & (shifted + 1)) != 0 || end - first < 2 || addresses[first + 1] - addresses[first] != bytes ||
      addresses[end - 1] - addresses[first] != uint64_t{end - first - 1} * bytes)
    return {};
  uint64_t difference = 0;
  for (uint32_t lane = first + 1; lane < end; ++lane) difference |= addresses[lane] - addresses[lane - 1] - bytes;
  return difference == 0 ? Neighbours{addresses[first], end - first} : Neighbours{};
}

bool DeferredStores::Recent::insert(uint64_t key) {
  if (!places_) places_ = std::make_unique<Place[]>(size_t{1} << kLog2);
  Place& place = places_[(key * kGoldenRatio) >> (64 - kLog2)];
  if (place.key == key && place.epoch == epoch_) return false;
  place = {key, epoch_};
  return true;
}

DeferredStores::Log& DeferredStores::log_of(uint32_t warp) {
  if (warp >= logs_.size()) logs_.resize(warp + 1);
  return logs_[warp];
}

DeferredStores::Entry* DeferredStores::room_for(Log& log, uint32_t entries) {
  if (log.entries.size() < log.count + entries) log.entries.resize(std::max<size_t>(256, 2 * log.entries.size()));
  Entry* room = log.entries.data() + log.count;
  log.count += entries;
  noted_ += entries;
  return room;
}

void DeferredStores::append(Log& log, uint32_t mask, const uint64_t* addresses, uint64_t offset, uint32_t bytes) {
  const uint32_t count = uint32_t(std::popcount(mask));
  if (log.runs.empty() || log.runs.back().span || log.runs.back().bytes != bytes)
    log.runs.push_back({count, bytes});
  else
    log.runs.back().entries += count;
  Entry* entry = room_for(log, count);
  switch (bytes) {
    case 1:
      enter<uint8_t>(entry, mask, addresses, offset);
      break;
    case 2:
      enter<uint16_t>(entry, mask, addresses, offset);
      break;
    case 4:
      enter<uint32_t>(entry, mask, addresses, offset);
      break;
    default:
      enter<uint64_t>(entry, mask, addresses, offset);
      break;
  }
}

void DeferredStores::note_lanes(uint32_t warp, uint32_t mask, const uint64_t* addresses, uint64_t offset,
                                uint32_t bytes) {
  Log& log = log_of(warp);
  if (log.count >= kAsked)
    for (uint32_t lanes = mask; lanes; lanes &= lanes - 1) {
      const auto* address = reinterpret_cast<const std::byte*>(addresses[std::countr_zero(lanes)] + offset);
      if (!log.recent.insert(key_of(address, bytes))) mask ^= lanes & -lanes;
    }
  const uint32_t piece = std::min<uint32_t>(bytes, sizeof(Entry::other));
  if (mask)
    for (uint32_t at = 0; at < bytes; at += piece) append(log, mask, addresses, offset + at, piece);
  noted(log);
}

void DeferredStores::note_neighbours(uint32_t warp, std::byte* first, uint32_t lanes, uint32_t bytes) {
  Log& log = log_of(warp);
  if (log.recent.insert(key_of_span(first, lanes * bytes))) {
    const uint32_t entries = (lanes * bytes + sizeof(Entry) - 1) / sizeof(Entry);
    log.runs.push_back({entries, bytes, first, lanes});
    std::memcpy(static_cast<void*>(room_for(log, entries)), first, size_t{lanes} * bytes);
  }
  noted(log);
}

void DeferredStores::noted(Log& log) {
  log.last_is_known = false;
  if (log.count > std::max(kLong, 2 * log.compacted)) compact(log);
}

void DeferredStores::compact(Log& log) {
  Keys known(log.count);
  Entry *from = log.entries.data(), *to = from;
  size_t runs = 0;
  for (Run run : log.runs) {
    Entry *const begin = to, *const end = from + run.entries;
    if (!run.span)
      to = std::copy_if(from, end, to, [&](const Entry& e) { return known.insert(key_of(e.address, run.bytes)); });
    else if (known.insert(key_of_span(run.span, run.span_bytes())))
      to = std::copy(from, end, to);
    from = end;
    run.entries = uint32_t(to - begin);
    if (run.entries != 0) log.runs[runs++] = run;
  }
  log.runs.resize(runs);
  const size_t kept = size_t(to - log.entries.data());
  noted_ -= log.count - kept;
  log.count = log.compacted = kept;
}

void DeferredStores::hide(uint32_t warp) {
  Log& log = log_of(warp);
  if (log.hidden) return;
  log.hidden = true;
  Entry* end = log.entries.data() + log.count;
  for (auto run = log.runs.rbegin(); run != log.runs.rend(); ++run) {
    end -= run->entries;
    if (run->span)
      swap_span(end, run->span, run->span_bytes());
    else
      swap(end, run->entries, run->bytes, /*backwards=*/true);
  }
}

void DeferredStores::show(uint32_t warp) {
  Log& log = log_of(warp);
  if (!log.hidden) return;
  log.hidden = false;
  Entry* first = log.entries.data();
  for (const Run& run : log.runs) {
    if (run.span)
      swap_span(first, run.span, run.span_bytes());
    else
      swap(first, run.entries, run.bytes, /*backwards=*/false);
    first += run.entries;
  }
}

void DeferredStores::commit(uint32_t warp) {
  Log& log = log_of(warp);
  noted_ -= log.count;
  log.count = 0;
  log.runs.clear();
  log.recent.forget();
  log.compacted = 0;
  log.last_is_known = false;
}

void DeferredStores::publish() {
  if (noted_ == 0) {
    for (Log& log : logs_) log.hidden = false;
    return;
  }
  for (uint32_t warp = 0; warp < logs_.size(); ++warp) hide(warp);
  for (uint32_t warp = 0; warp < logs_.size(); ++warp) {
    Log& log = logs_[warp];
    log.hidden = false;
    const Entry* first = log.entries.data();
    for (const Run& run : log.runs) {
      if (run.span)
        std::memcpy(run.span, first, run.span_bytes());
      else
        write(first, run.entries, run.bytes);
      first += run.entries;
    }
    commit(warp);
  }
}

// In the order of the entries: of those that overlap, what the last one has is what was stored last.
void DeferredStores::find_last(Log& log) {
  log.last.clear();
  auto store = [&](const std::byte* address, const void* from, uint32_t bytes) {
    for (uint32_t n = 0; n < bytes; ++n) {
      const uint64_t at = reinterpret_cast<uint64_t>(address) + n;
      Word& word = log.last[at / sizeof word.bytes];
      word.bytes[at % sizeof word.bytes] = static_cast<const std::byte*>(from)[n];
      word.stored |= uint8_t(1 << at % sizeof word.bytes);
    }
  };
  const Entry* entry = log.entries.data();
  for (const Run& run : log.runs) {
    const Entry* end = entry + run.entries;
    if (run.span)
      store(run.span, entry, run.span_bytes());
    else
      for (; entry != end; ++entry) store(entry->address, &entry->other, run.bytes);
    entry = end;
  }
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
  noted_ = 0;
}

}  // namespace warpwise::exec
