#include "check/records/record_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/host_place.h"
#include "check/records/record_json.h"

namespace warpwise::check {

Result<std::shared_ptr<RecordSink>> RecordSink::open(const std::string& path, CheckerSet checkers) {
  int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return Error{"U0002", fmt::format("findings cannot be written to `{}`: {}", path, std::strerror(errno))};
  return std::shared_ptr<RecordSink>(new RecordSink(fd, checkers));
}

RecordSink::RecordSink(int fd, CheckerSet checkers) : fd_(fd), pid_(getpid()) {
  Json names = Json::array();
  for (unsigned i = 0; i < kCheckers; ++i)
    if (checkers.has(Checker(i))) names.push_back(name_of(Checker(i)));
  write(dump({{"v", kRecordVersion}, {"type", "start"}, {"pid", pid_}, {"checkers", names}}));
}

RecordSink::~RecordSink() {
  finish();
  close(fd_);
}

void RecordSink::write(const std::string& line) {
  std::string whole = line + "\n";
  const char* at = whole.data();
  size_t left = whole.size();
  while (left > 0) {
    ssize_t done = ::write(fd_, at, left);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      // Without the record the command would take the silence for a clean run: the end is not written then, either.
      if (!write_failed_) fmt::print(stderr, "warpwise: findings cannot be written: {}\n", std::strerror(errno));
      write_failed_ = true;
      return;
    }
    at += done, left -= size_t(done);
  }
}

void RecordSink::write_finding(Cause cause, const Finding& finding) {
  Json record = to_json(finding);
  record["type"] = "finding";
  record["pid"] = pid_;
  record["id"] = cause;
  write(dump(record));
}

void RecordSink::write_count(Cause cause, Known& known) {
  known.written = known.threads;
  write(dump({{"type", "count"}, {"pid", pid_}, {"id", cause}, {"threads", known.threads}}));
}

void RecordSink::add_threads(Cause cause, uint64_t threads) {
  if (cause == 0 || cause > known_.size()) {
    dropped_ += threads;
    return;
  }
  Known& known = known_[cause - 1];
  known.threads += threads;
  if (known.threads >= 2 * known.written) write_count(cause, known);
}

FindingSink::Cause RecordSink::report(Finding finding) {
  // What is found while a call of the program runs (a copy) is that call's.
  auto placed = [](const Party& party) { return party.code.known() || !party.host.empty() || !party.kernel.empty(); };
  auto is_placed = [&] {
    return finding.parties.empty() || std::any_of(finding.parties.begin(), finding.parties.end(), placed);
  };
  std::lock_guard lock(mutex_);
  // What is said of an allocation stands where it was made.
  for (Party& party : finding.parties)
    if (party.role == "allocation" && party.host.empty() && finding.memory)
      if (auto made = allocations_.find(finding.memory->base); made != allocations_.end())
        party.host = made->second.note.at;
  if (!is_placed()) finding.parties[0].host = host_place();
  auto [entry, is_new] = causes_.try_emplace(cause_of(finding), 0);
  if (!is_new) {
    show_if_earlier(entry->second, finding);
    add_threads(entry->second, finding.threads);
    return entry->second;
  }
  if (known_.size() >= kMaxCauses) {
    causes_.erase(entry);
    ++dropped_;
    return 0;
  }
  if (finding.memory) fill_in_allocation(*finding.memory);
  Cause cause = entry->second = Cause(known_.size() + 1);
  known_.push_back({finding.threads, finding.threads, finding.order});
  write_finding(cause, finding);
  return cause;
}

void RecordSink::show_if_earlier(Cause cause, Finding finding) {
  if (cause == 0) return;
  Known& known = known_[cause - 1];
  if (!finding.order.before(known.order)) return;
  known.order = finding.order;
  finding.threads = known.written;
  if (finding.memory) fill_in_allocation(*finding.memory);
  write_finding(cause, finding);
}

void RecordSink::again(Cause cause, uint64_t threads) {
  std::lock_guard lock(mutex_);
  add_threads(cause, threads);
}

void RecordSink::note_unchecked(std::string_view what) {
  std::lock_guard lock(mutex_);
  if (std::find(not_checked_.begin(), not_checked_.end(), what) != not_checked_.end()) return;
  not_checked_.emplace_back(what);
  write(dump({{"type", "not-checked"}, {"pid", pid_}, {"what", what}}));
}

void RecordSink::note_allocation(AllocationNote note) {
  std::lock_guard lock(mutex_);
  // Freed ones whose addresses are used again are forgotten.
  auto at = allocations_.lower_bound(note.base);
  while (at != allocations_.end() && at->first < note.base + note.size) at = allocations_.erase(at);
  uint64_t base = note.base;
  allocations_.insert_or_assign(base, Noted{std::move(note), false, {}});
}

void RecordSink::note_free(uint64_t base, HostPlace at) {
  std::lock_guard lock(mutex_);
  auto found = allocations_.find(base);
  if (found == allocations_.end()) return;
  found->second.freed = true;
  found->second.freed_at = std::move(at);
}

void RecordSink::fill_in_allocation(MemoryPlace& memory) const {
  auto found = allocations_.find(memory.base);
  if (!memory.allocated || found == allocations_.end()) return;
  const Noted& noted = found->second;
  if (memory.allocated_at.empty()) memory.allocated_at = noted.note.at;
  if (memory.allocated_by.empty()) memory.allocated_by = noted.note.by;
  if (noted.freed && memory.freed && memory.freed_at.empty()) memory.freed_at = noted.freed_at;
}

void RecordSink::finish() {
  std::lock_guard lock(mutex_);
  for (size_t i = 0; i < known_.size(); ++i)
    if (known_[i].written != known_[i].threads) write_count(Cause(i + 1), known_[i]);
  if (dropped_ != dropped_written_) {
    write(dump({{"type", "dropped"}, {"pid", pid_}, {"count", dropped_ - dropped_written_}}));
    dropped_written_ = dropped_;
  }
  if (!write_failed_) write(dump({{"type", "end"}, {"pid", pid_}}));
}

}  // namespace warpwise::check
