#include "exec/memory/moving_pages.h"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <mutex>

#include "base/host_page.h"
#include "exec/fault/guard.h"

namespace warpwise::exec {

namespace {

std::byte* bytes_at(uint64_t address) { return reinterpret_cast<std::byte*>(address); }

// The pages that are moving, and those that moved last. The handler of faults reads them.
std::atomic<uint64_t> moving_first{0}, moving_last{0}, moved_first{0}, moved_last{0}, moves{0};
std::mutex one_at_a_time;

// Closes pages to writes until they have moved.
class Move {
 public:
  Move(uint64_t first, uint64_t last) : alone_(one_at_a_time), first_(first), last_(last) {
    enter_fault_handling();
    moved_first = first, moved_last = last;
    moving_last = last, moving_first = first;
    closed_ = mprotect(bytes_at(first), last - first, PROT_READ) == 0;
  }
  ~Move() {
    if (!done_) mprotect(bytes_at(first_), last_ - first_, PROT_READ | PROT_WRITE);
    ++moves;
    moving_first = 0, moving_last = 0;
  }
  bool closed() const { return closed_; }
  void done() { done_ = true; }

 private:
  std::lock_guard<std::mutex> alone_;
  uint64_t first_, last_;
  bool closed_ = false, done_ = false;
};

// Copies whole pages into fresh memory, which stays without pages where there is nothing but zeros. AddressSanitizer's
// memcpy would report its own marks between a program's objects as errors; the barrier prevents the compiler from
// making a memcpy of the loop.
__attribute__((no_sanitize("address"))) void copy_pages(void* to, const void* from, size_t bytes) {
  using Line = uint64_t __attribute__((vector_size(64), may_alias));
  constexpr size_t kLines = kHostPage / sizeof(Line);
  for (size_t line = 0; line < bytes / sizeof(Line); line += kLines) {
    const Line* source = static_cast<const Line*>(from) + line;
    Line* target = static_cast<Line*>(to) + line;
    Line any{};
    for (size_t k = 0; k < kLines; ++k) any |= source[k];
    if ((any[0] | any[1] | any[2] | any[3] | any[4] | any[5] | any[6] | any[7]) == 0) continue;
    for (size_t k = 0; k < kLines; ++k) {
      target[k] = source[k];
      asm volatile("" ::: "memory");
    }
  }
}

}  // namespace

// Nothing here may allocate between the closing and the arrival: the heap itself may be moving.
int move_into_file(uint64_t first, uint64_t last, const char* name) {
  const size_t bytes = last - first;
  const int file = memfd_create(name, MFD_CLOEXEC);
  if (file < 0) return -1;
  void* copy = ftruncate(file, static_cast<off_t>(bytes)) == 0
                   ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                   : MAP_FAILED;
  bool moved = false;
  if (copy != MAP_FAILED) {
    Move move(first, last);
    if (move.closed()) {
      copy_pages(copy, bytes_at(first), bytes);
      moved = mmap(bytes_at(first), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
      if (moved) move.done();
    }
  }
  if (copy != MAP_FAILED) munmap(copy, bytes);
  if (moved) return file;
  close(file);
  return -1;
}

void move_home(uint64_t first, uint64_t last) {
  const size_t bytes = last - first;
  void* home = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (home == MAP_FAILED) return;
  Move move(first, last);
  if (!move.closed()) return;
  copy_pages(home, bytes_at(first), bytes);
  if (mremap(home, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, bytes_at(first)) != MAP_FAILED) move.done();
}

bool is_moving(uint64_t address) {
  const uint64_t first = moving_first;
  if (first != 0 && address >= first && address < moving_last) {
    while (moving_first == first) sched_yield();
    return true;
  }
  // The page may have arrived between the fault and this check: the access is tried again once.
  static thread_local uint64_t tried = 0;
  if (address < moved_first || address >= moved_last || tried == moves) return false;
  tried = moves;
  return true;
}

}  // namespace warpwise::exec
