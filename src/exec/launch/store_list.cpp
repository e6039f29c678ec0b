#include "exec/launch/store_list.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpwise::exec {
namespace {

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
void read_each(Entry* entries, uint32_t count) {
  for (Entry* entry = entries; entry != entries + count; ++entry) {
    Word word;
    std::memcpy(&word, entry->address, sizeof word);
    entry->bits = word;
  }
}

template <class Word, class Entry>
void write_each(const Entry* entries, uint32_t count) {
  for (const Entry* entry = entries; entry != entries + count; ++entry) {
    const Word word = Word(entry->bits);
    std::memcpy(entry->address, &word, sizeof word);
  }
}

template <class Word, class Entry>
void write_each_backwards(const Entry* entries, uint32_t count) {
  for (const Entry* entry = entries + count; entry != entries;) {
    --entry;
    const Word word = Word(entry->bits);
    std::memcpy(entry->address, &word, sizeof word);
  }
}

// Calls with<uintN_t>() for entries of N / 8 bytes.
template <class With>
void by_size(uint32_t bytes, const With& with) {
  switch (bytes) {
    case 1:
      return with.template operator()<uint8_t>();
    case 2:
      return with.template operator()<uint16_t>();
    case 4:
      return with.template operator()<uint32_t>();
    default:
      return with.template operator()<uint64_t>();
  }
}

}  // namespace

StoreList::Entry* StoreList::room_for(uint32_t entries) {
  if (entries_.size() < count_ + entries)
    entries_.resize(std::max<size_t>({256, 2 * entries_.size(), count_ + entries}));
  Entry* room = entries_.data() + count_;
  count_ += entries;
  return room;
}

StoreList::Entry* StoreList::add(uint32_t count, uint32_t bytes) {
  only_size_ = runs_.empty() || only_size_ == bytes ? bytes : 0;
  if (runs_.empty() || runs_.back().span || runs_.back().bytes != bytes)
    runs_.push_back({count, bytes});
  else
    runs_.back().entries += count;
  return room_for(count);
}

std::byte* StoreList::add_span(std::byte* first, uint32_t lanes, uint32_t bytes) {
  only_size_ = 0;
  const uint32_t entries = (lanes * bytes + sizeof(Entry) - 1) / sizeof(Entry);
  runs_.push_back({entries, bytes, first, lanes});
  return reinterpret_cast<std::byte*>(room_for(entries));
}

void StoreList::read_memory() {
  Entry* entry = entries_.data();
  for (const Run& run : runs_) {
    if (run.span)
      std::memcpy(static_cast<void*>(entry), run.span, run.span_bytes());
    else
      by_size(run.bytes, [&]<class Word>() { read_each<Word>(entry, run.entries); });
    entry += run.entries;
  }
}

void StoreList::write_memory() const {
  const Entry* entry = entries_.data();
  for (const Run& run : runs_) {
    if (run.span)
      std::memcpy(run.span, entry, run.span_bytes());
    else
      by_size(run.bytes, [&]<class Word>() { write_each<Word>(entry, run.entries); });
    entry += run.entries;
  }
}

void StoreList::write_memory_backwards() const {
  const Entry* entry = entries_.data() + count_;
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    entry -= run->entries;
    if (run->span)
      std::memcpy(run->span, entry, run->span_bytes());
    else
      by_size(run->bytes, [&]<class Word>() { write_each_backwards<Word>(entry, run->entries); });
  }
}

uint64_t StoreList::key_of(const Run& run, const Entry& entry) {
  return run.span ? key_of_span(run.span, run.span_bytes())
                  : key_of_place(reinterpret_cast<uint64_t>(entry.address), run.bytes);
}

size_t StoreList::places() const {
  size_t places = 0;
  for (const Run& run : runs_) places += run.span ? 1 : run.entries;
  return places;
}

void StoreList::keep_first() {
  Keys known(places());
  Entry *from = entries_.data(), *to = from;
  size_t runs = 0;
  for (Run run : runs_) {
    Entry *const begin = to, *const end = from + run.entries;
    if (!run.span)
      to = std::copy_if(from, end, to, [&](const Entry& e) { return known.insert(key_of(run, e)); });
    else if (known.insert(key_of(run, *from)))
      to = std::copy(from, end, to);
    from = end;
    run.entries = uint32_t(to - begin);
    if (run.entries != 0) runs_[runs++] = run;
  }
  runs_.resize(runs);
  count_ = size_t(to - entries_.data());
}

// From the end on, to the end; then all moves to the front.
void StoreList::keep_last() {
  Keys known(places());
  Entry *const last = entries_.data() + count_, *from = last, *to = last;
  std::vector<Run> kept;
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    Entry *const begin = from - run->entries, *const end = to;
    if (!run->span)
      while (from != begin) {
        --from;
        if (known.insert(key_of(*run, *from))) *--to = *from;
      }
    else if (known.insert(key_of(*run, *begin)))
      to = std::copy_backward(begin, from, to);
    from = begin;
    Run left = *run;
    left.entries = uint32_t(end - to);
    if (left.entries != 0) kept.push_back(left);
  }
  count_ = size_t(last - to);
  std::copy(to, last, entries_.data());
  runs_.assign(kept.rbegin(), kept.rend());
}

void StoreList::clear() {
  runs_.clear();
  count_ = 0;
  only_size_ = 0;
}

}  // namespace warpwise::exec
