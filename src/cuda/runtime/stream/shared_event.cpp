#include "cuda/runtime/stream/shared_event.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <ctime>
#include <new>

namespace warpwise::cuda {

struct SharedEvent::Page {
  static constexpr uint64_t kWord = 0x746e657665777700;  // "\0wwevent"
  uint64_t word = kWord;
  std::atomic<uint64_t> numbered{0}, recorded{0}, reached{0};
  std::atomic<uint32_t> turns{0};    // counts the changes of `reached`: the futex word that sleeping processes wait on
  std::atomic<int32_t> recorder{0};  // the process of the last record
};

namespace {

constexpr size_t kBytes = 4096;

void raise(std::atomic<uint64_t>& value, uint64_t to) {
  uint64_t now = value;
  while (now < to && !value.compare_exchange_weak(now, to)) {
  }
}

// futex(2); processes share the word.
long futex(const std::atomic<uint32_t>& word, int what, uint32_t value, const timespec* patience) {
  return syscall(SYS_futex, &word, what, value, patience, nullptr, 0);
}

}  // namespace

std::shared_ptr<SharedEvent> SharedEvent::map(OpenFile file) {
  void* page = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (page == MAP_FAILED) return nullptr;
  return std::shared_ptr<SharedEvent>(new SharedEvent(std::move(file), static_cast<Page*>(page)));
}

std::shared_ptr<SharedEvent> SharedEvent::create() {
  OpenFile file(memfd_create("warpwise-event", MFD_CLOEXEC));
  if (!file || ftruncate(file.get(), kBytes) != 0) return nullptr;
  auto event = map(std::move(file));
  if (event) new (event->page_) Page;
  return event;
}

std::shared_ptr<SharedEvent> SharedEvent::open(OpenFile file) {
  struct stat about{};
  if (!file || fstat(file.get(), &about) != 0 || about.st_size != kBytes) return nullptr;
  auto event = map(std::move(file));
  return event && event->page_->word == Page::kWord ? event : nullptr;
}

SharedEvent::~SharedEvent() { munmap(page_, kBytes); }

uint64_t SharedEvent::next() { return ++page_->numbered; }

void SharedEvent::submitted(uint64_t record) {
  page_->recorder = getpid();
  raise(page_->recorded, record);
}

void SharedEvent::reach(uint64_t record) {
  raise(page_->reached, record);
  ++page_->turns;
  futex(page_->turns, FUTEX_WAKE, INT_MAX, nullptr);
}

uint64_t SharedEvent::last() const { return page_->recorded; }

bool SharedEvent::reached(uint64_t record) const {
  return page_->reached >= record || (kill(page_->recorder, 0) != 0 && errno == ESRCH);
}

void SharedEvent::wait(uint64_t record) const {
  constexpr timespec kPatience{0, 50'000'000};  // afterwards it checks whether the other process still lives
  for (;;) {
    const uint32_t turns = page_->turns;
    if (reached(record)) return;
    futex(page_->turns, FUTEX_WAIT, turns, &kPatience);
  }
}

}  // namespace warpwise::cuda
