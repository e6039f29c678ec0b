// Places in memory with bytes for each, in the order in which they were entered: what was there before a warp stored,
// or what it has stored (deferred_stores.h).
//
// Stores of one size follow one another without a word between them (Run). Lanes that store one behind the other are
// one copy of the whole (a span).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpwise::exec {

// Numbers for a place of `bytes` bytes, and for a span of so many: no place has that of a span, and none is 0.
inline uint64_t key_of_place(uint64_t address, uint32_t bytes) { return address << 5 | bytes; }
inline uint64_t key_of_span(const std::byte* first, uint32_t bytes) {
  return uint64_t{1} << 63 | reinterpret_cast<uint64_t>(first) << 10 | bytes;
}
// The golden ratio of 2^64: the highest bits of a product with it are a hash.
constexpr uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;

class StoreList {
 public:
  struct Entry {
    std::byte* address;
    uint64_t bits;  // the lowest bytes of it
  };

  // Room for `count` entries of 1, 2, 4 or 8 bytes, for the caller to fill.
  Entry* add(uint32_t count, uint32_t bytes);
  // Room for lanes * bytes bytes, at most 512, from `first` on, for the caller to fill.
  std::byte* add_span(std::byte* first, uint32_t lanes, uint32_t bytes);

  // Each place takes the bytes that are in memory now.
  void read_memory();
  // Writes all places into memory; of those that overlap the last one stays, or, backwards, the first one.
  void write_memory() const;
  void write_memory_backwards() const;

  // Of places that are entered more than once, with the same size, only the first, or the last, stays.
  void keep_first();
  void keep_last();

  // Calls see(address, bytes, size) for each, in order.
  template <class See>
  void for_each(const See& see) const {
    const Entry* entry = entries_.data();
    for (const Run& run : runs_) {
      const Entry* end = entry + run.entries;
      if (run.span)
        see(run.span, reinterpret_cast<const std::byte*>(entry), run.span_bytes());
      else
        for (const Entry* one = entry; one != end; ++one)
          see(one->address, reinterpret_cast<const std::byte*>(&one->bits), run.bytes);
      entry = end;
    }
  }

  Entry& entry(size_t index) { return entries_[index]; }
  // In entries' room: a span has that of as many as it needs.
  size_t size() const { return count_; }
  // The size of all entries, if there are no spans and all have one; else 0.
  uint32_t only_size() const { return only_size_; }
  void clear();

 private:
  struct Run {
    uint32_t entries;
    uint32_t bytes;  // of an entry or of a lane
    std::byte* span = nullptr;
    uint32_t lanes = 0;

    uint32_t span_bytes() const { return lanes * bytes; }
  };
  Entry* room_for(uint32_t entries);
  size_t places() const;
  static uint64_t key_of(const Run& run, const Entry& entry);

  std::vector<Entry> entries_;  // the first count_ of them
  std::vector<Run> runs_;
  size_t count_ = 0;
  uint32_t only_size_ = 0;
};

}  // namespace warpwise::exec
