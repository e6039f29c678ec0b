#include "exec/memory/zero_fill.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/host_page.h"
#include "exec/memory/mapped_segments.h"

namespace warpwise::exec {
namespace {

// Less takes less time than to ask.
constexpr size_t kWorthAsking = size_t{32} << 20;

bool is_private_and_anonymous(uint64_t first, uint64_t last) {
  uint64_t covered = first;
  for (const MappedSegment& s : mapped_segments(first, last)) {
    if (s.first != covered || s.shared || !s.name.empty()) return false;
    covered = s.last;
  }
  return covered == last;
}

// The kernel's table of the pages of this process: eight bytes for each (Documentation/admin-guide/mm/pagemap.rst).
class PageTable {
 public:
  PageTable() : file_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  ~PageTable() {
    if (file_ >= 0) close(file_);
  }
  PageTable(const PageTable&) = delete;
  PageTable& operator=(const PageTable&) = delete;

  // The entries of `count` pages from that address on; false when they cannot be read.
  bool read(uint64_t first, size_t count, uint64_t* entries) const {
    const auto bytes = ssize_t(count * sizeof *entries);
    return file_ >= 0 && pread(file_, entries, size_t(bytes), off_t(first / kHostPage * sizeof *entries)) == bytes;
  }
  static bool is_touched(uint64_t entry) {
    constexpr uint64_t kPresent = uint64_t{1} << 63, kSwapped = uint64_t{1} << 62;
    return (entry & (kPresent | kSwapped)) != 0;
  }

 private:
  const int file_;
};

void fill_touched_pages(std::byte* at, size_t pages) {
  constexpr size_t kAtOnce = 65536;
  const PageTable table;
  std::vector<uint64_t> entries(std::min(pages, kAtOnce));
  for (size_t begin = 0; begin < pages; begin += kAtOnce) {
    const size_t count = std::min(kAtOnce, pages - begin);
    std::byte* const piece = at + begin * kHostPage;
    if (!table.read(reinterpret_cast<uint64_t>(piece), count, entries.data())) {
      std::memset(piece, 0, count * kHostPage);
      continue;
    }
    for (size_t first = 0; first < count;) {
      if (!PageTable::is_touched(entries[first])) {
        ++first;
        continue;
      }
      size_t end = first;
      while (end < count && PageTable::is_touched(entries[end])) ++end;
      std::memset(piece + first * kHostPage, 0, (end - first) * kHostPage);
      first = end;
    }
  }
}

}  // namespace

void fill_with_zeros(std::byte* at, size_t bytes) {
  const auto begin = reinterpret_cast<uint64_t>(at), end = begin + bytes;
  const uint64_t first = (begin + kHostPage - 1) / kHostPage * kHostPage, last = end / kHostPage * kHostPage;
  if (bytes < kWorthAsking || !is_private_and_anonymous(first, last)) {
    std::memset(at, 0, bytes);
    return;
  }
  std::memset(at, 0, first - begin);
  fill_touched_pages(at + (first - begin), (last - first) / kHostPage);
  std::memset(at + (last - begin), 0, end - last);
}

}  // namespace warpwise::exec
