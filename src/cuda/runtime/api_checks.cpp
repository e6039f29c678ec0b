#include "cuda/runtime/api_checks.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/demangled.h"
#include "base/host_place.h"

namespace warpwise::cuda {
namespace {

constexpr size_t kMostFreed = 4096;
constexpr size_t kMostUnread = 256;
constexpr size_t kMostShadowBytes = 1 << 16;  // compared, of one variable

constexpr const char* kBrackets = "<<<>>>";  // marks the stub of a kernel as the innermost frame for the command

thread_local bool with_brackets = false;

// A program's call, as the checks record it while it runs.
Party calling(std::string role, std::string function) {
  Party party;
  party.role = std::move(role);
  party.detail = std::move(function);
  party.host = host_place();
  return party;
}

// Details of kernel failures are a paragraph long; messages are one line.
std::pair<std::string, std::string> first_line(const std::string& text) {
  size_t end = std::min(text.find('\n'), text.size());
  size_t rest = text.find_first_not_of(" \n", end);
  return {text.substr(0, end), rest == text.npos ? "" : text.substr(rest)};
}

std::string bytes(size_t count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

}  // namespace

// --- memory ---------------------------------------------------------------------------------------------------

void ApiChecks::allocated(device::Address base, size_t size) {
  if (!on()) return;
  Allocated made{size, current_function(), host_place(), ""};
  sink_->note_allocation({base, size, made.by, made.at});
  std::lock_guard lock(mutex_);
  // Memory whose addresses are in use again no longer counts as freed.
  auto at = freed_.lower_bound(base);
  if (at != freed_.begin() && std::prev(at)->first + std::prev(at)->second.allocation.size > base) --at;
  while (at != freed_.end() && at->first < base + size) at = freed_.erase(at);
  allocations_[base] = std::move(made);
}

void ApiChecks::freed(device::Address base) {
  if (!on()) return;
  HostPlace at = host_place();
  sink_->note_free(base, at);
  std::lock_guard lock(mutex_);
  running_.clear();  // a free waits for all work
  auto found = allocations_.find(base);
  if (found == allocations_.end()) return;
  if (freed_.size() >= kMostFreed) freed_.erase(freed_.begin());
  freed_[base] = {std::move(found->second), std::move(at)};
  allocations_.erase(found);
}

void ApiChecks::free_requested(const void* base) {
  if (!on()) return;
  std::lock_guard lock(mutex_);
  if (auto found = allocations_.find(reinterpret_cast<device::Address>(base)); found != allocations_.end())
    found->second.free_requested = true;
}

void ApiChecks::named(device::Address base, std::string name) {
  if (!on()) return;
  std::lock_guard lock(mutex_);
  if (auto found = allocations_.find(base); found != allocations_.end()) found->second.name = std::move(name);
}

void ApiChecks::all_freed() {
  if (!on()) return;
  const HostPlace at = host_place();
  std::lock_guard lock(mutex_);
  for (auto& [base, allocation] : allocations_) {
    sink_->note_free(base, at);
    if (freed_.size() >= kMostFreed) freed_.erase(freed_.begin());
    freed_[base] = {std::move(allocation), at};
  }
  allocations_.clear();
  running_.clear();
  recorded_.clear();
}

// --- pointers ---------------------------------------------------------------------------------------------------

const std::pair<const device::Address, ApiChecks::Freed>* ApiChecks::find_freed(device::Address address) const {
  auto next = freed_.upper_bound(address);
  if (next == freed_.begin()) return nullptr;
  const auto& entry = *std::prev(next);
  return address - entry.first < entry.second.allocation.size ? &entry : nullptr;
}

Finding ApiChecks::about_pointer(std::string_view rule, const void* pointer, std::string message) const {
  Finding finding = make_finding(rule, std::move(message));
  finding.parties.push_back(calling("call", current_function()));
  auto address = reinterpret_cast<device::Address>(pointer);
  MemoryPlace memory;
  memory.address = address;
  auto next = allocations_.upper_bound(address);
  if (next != allocations_.begin() && address - std::prev(next)->first <= std::prev(next)->second.size) {
    const auto& [base, made] = *std::prev(next);
    memory = {.space = "global",
              .address = address,
              .base = base,
              .size = made.size,
              .allocated = true,
              .allocated_at = made.at,
              .allocated_by = made.by};
  }
  finding.memory = std::move(memory);
  return finding;
}

cudaError_t ApiChecks::misused(std::string_view rule, const void* pointer, cudaError_t error) {
  if (!on() || error == cudaSuccess) return error;
  std::unique_lock lock(mutex_);
  Finding finding = about_pointer(rule, pointer, fmt::format("{}: {}", current_function(), thread_error().detail));
  auto address = reinterpret_cast<device::Address>(pointer);
  if (const auto* freed = find_freed(address)) {
    const auto& [base, gone] = *freed;
    bool again = rule == "C0503" && base == address;
    finding.code = again ? "C0502" : "C0504";
    finding.message = again ? fmt::format("{}: {} has been freed before", current_function(), pointer)
                            : fmt::format("{}: {} is in memory that has been freed", current_function(), pointer);
    finding.memory = {.space = "global",
                      .address = address,
                      .base = base,
                      .size = gone.allocation.size,
                      .allocated = true,
                      .freed = true,
                      .allocated_at = gone.allocation.at,
                      .freed_at = gone.at,
                      .allocated_by = gone.allocation.by};
  }
  lock.unlock();
  sink_->report(std::move(finding));
  return error;
}

void ApiChecks::contradicted(std::string_view rule, const void* pointer, const void* other, std::string message) {
  if (!on()) return;
  std::unique_lock lock(mutex_);
  Finding finding = about_pointer(rule, pointer, fmt::format("{}: {}", current_function(), message));
  const auto address = reinterpret_cast<device::Address>(other);
  const auto next = allocations_.upper_bound(address);
  if (next != allocations_.begin() && address - std::prev(next)->first < std::prev(next)->second.size) {
    const Allocated& made = std::prev(next)->second;
    finding.parties.push_back({.role = "allocation", .detail = made.by, .host = made.at});
    finding.notes.push_back(fmt::format("the other side is pinned memory of {}", bytes(made.size)));
  }
  lock.unlock();
  sink_->report(std::move(finding));
}

// --- errors -----------------------------------------------------------------------------------------------------

void ApiChecks::launching_with_brackets() { with_brackets = started_; }

// There is one finding per cause. The calls that returned the error of a failed kernel are parties of that finding.
void ApiChecks::remember(Finding finding) {
  constexpr size_t kMostCalls = 12;
  std::string cause = cause_of(finding);
  for (Unread& unread : unread_) {
    Finding& before = unread.finding;
    if (finding.code != "C0512" || before.code != "C0512" || unread.thread != std::this_thread::get_id()) continue;
    if (before.parties.size() < kMostCalls) before.parties.push_back(std::move(finding.parties[0]));
    return;
  }
  for (Unread& unread : unread_)
    if (unread.thread == std::this_thread::get_id() && unread.cause == cause) {
      ++unread.finding.threads;
      return;
    }
  if (unread_.size() < kMostUnread)
    unread_.push_back({std::this_thread::get_id(), std::move(cause), std::move(finding)});
}

void ApiChecks::failed(const char* function, bool launch, bool kernel_failed, cudaError_t error,
                       const std::string& detail) {
  if (!started_) return;
  bool brackets = launch && with_brackets;
  with_brackets = false;
  auto [what, more] = first_line(fmt::format("{}: {}", name_of(error), detail.empty() ? text_of(error) : detail));
  Finding finding;
  if (kernel_failed)
    finding = make_finding("C0512", fmt::format("a kernel failed, and the program went on: {}", what));
  else if (brackets)
    finding = make_finding("C0508", fmt::format("the launch failed, and the program never checked it: {}", what));
  else
    finding = make_finding("C0509", fmt::format("{} failed, and the program went on: {}", function, what));
  if (!more.empty()) finding.notes.push_back(more);
  // "result": the command checks whether the code after the call can have read it.
  finding.parties.push_back(brackets ? calling("launch", kBrackets) : calling("result", function));
  std::lock_guard lock(mutex_);
  remember(std::move(finding));
}

void ApiChecks::error_was_read() {
  if (!started_) return;
  std::lock_guard lock(mutex_);
  std::erase_if(unread_, [&](const Unread& unread) {
    bool read = unread.thread == std::this_thread::get_id();
    kernel_error_read_ |= read && unread.finding.code == "C0512";
    return read;
  });
}

// --- waiting ----------------------------------------------------------------------------------------------------

ApiChecks::Awaited ApiChecks::awaited_once_taken(const device::Command& command) {
  if (!on()) return {};
  const bool brackets = std::exchange(with_brackets, false);
  if (const auto* record = std::get_if<device::RecordEvent>(&command)) return {.event = record->event, .work = {}};
  // A wait that cannot end is reported for kernels and copies alone.
  if (std::holds_alternative<device::Launch>(command))
    return {.event = {}, .work = calling("launch", brackets ? kBrackets : current_function())};
  if (std::holds_alternative<device::CopyFromDevice>(command))
    return {.event = {}, .work = calling("copy", current_function())};
  return {};
}

void ApiChecks::submitted(device::StreamId stream, Awaited awaited) {
  if (!on() || (!awaited.event && !awaited.work)) return;
  std::lock_guard lock(mutex_);
  if (awaited.event)
    recorded_[*awaited.event] = {stream, submissions_};
  else
    running_[stream] = {++submissions_, std::move(*awaited.work)};
}

// The legacy default stream waits for all other streams except those created as non-blocking.
void ApiChecks::waited(device::StreamId stream) {
  if (!on()) return;
  std::lock_guard lock(mutex_);
  if (stream == 0)
    running_.clear();
  else
    running_.erase(stream);
}

void ApiChecks::waited_for_event(device::EventId event) {
  if (!on()) return;
  std::lock_guard lock(mutex_);
  auto record = recorded_.find(event);
  if (record == recorded_.end()) return;
  auto [stream, number] = record->second;
  std::erase_if(running_, [&](const auto& entry) {
    return (stream == 0 || entry.first == stream) && entry.second.number <= number;
  });
}

void ApiChecks::waited_for_all() {
  if (!on()) return;
  std::lock_guard lock(mutex_);
  running_.clear();
}

// --- variables -------------------------------------------------------------------------------------------------

void ApiChecks::registered(const void* module, const char* name, const void* host, size_t size) {
  if (!started_ || !host) return;
  std::lock_guard lock(mutex_);
  const size_t kept = std::min(size, kMostShadowBytes);
  shadows_.push_back({module, demangled(name), host, std::string(static_cast<const char*>(host), kept)});
}

void ApiChecks::unregistered(const void* module) {
  if (!started_) return;
  std::lock_guard lock(mutex_);
  std::vector<std::string> written;
  for (const Shadow& shadow : shadows_)
    if (shadow.module == module && std::memcmp(shadow.host, shadow.bytes.data(), shadow.bytes.size()) != 0)
      written.push_back(fmt::format("`{}`", shadow.name));
  std::erase_if(shadows_, [&](const Shadow& shadow) { return shadow.module == module; });
  // No place tells several of them apart: they are one finding.
  if (!written.empty() && on())
    sink_->report(
        make_finding("C0513", fmt::format("kernels do not see what host code writes to the device variable{} {}",
                                          written.size() == 1 ? "" : "s", fmt::join(written, ", "))));
}

// --- the end ----------------------------------------------------------------------------------------------------

void ApiChecks::main_ended(const device::Status& failure) {
  if (!on()) return;
  std::lock_guard lock(mutex_);
  if (!failure.ok()) running_.clear();
  for (auto& [stream, running] : running_) {
    bool copy = running.party.role == "copy";
    Finding finding =
        make_finding("C0511", fmt::format("the program ends and has not waited for this {}", copy ? "copy" : "kernel"));
    finding.parties.push_back(running.party);
    sink_->report(std::move(finding));
  }
  running_.clear();
}

void ApiChecks::program_ended(const device::Status& failure) {
  if (!on()) return;
  std::lock_guard lock(mutex_);
  bool reported = kernel_error_read_;
  for (Unread& unread : unread_) {
    reported |= unread.finding.code == "C0512";
    sink_->report(std::move(unread.finding));
  }
  unread_.clear();
  if (!failure.ok() && !reported) {
    auto [what, more] = first_line(failure.detail);
    Finding finding =
        make_finding("C0512", fmt::format("a kernel failed, and the program ended without checking it: {}", what));
    if (!more.empty()) finding.notes.push_back(more);
    sink_->report(std::move(finding));
  }
  for (const auto& [base, made] : allocations_) {
    // After a kernel has failed nothing can be freed. A call that tries counts as a free.
    if (!failure.ok() && made.free_requested) continue;
    Finding finding =
        make_finding("C0501", fmt::format("{} that {} allocated are never freed", bytes(made.size), made.by));
    Party party;
    party.role = "allocation";
    party.host = made.at;
    finding.parties.push_back(std::move(party));
    finding.memory = MemoryPlace{.name = made.name,
                                 .base = base,
                                 .size = made.size,
                                 .allocated = true,
                                 .allocated_at = made.at,
                                 .allocated_by = made.by};
    sink_->report(std::move(finding));
  }
  allocations_.clear();
}

}  // namespace warpwise::cuda
