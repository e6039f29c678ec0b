#include "check/race/race_reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "check/source/places.h"

namespace warpwise::check {

using device::Address;

namespace {

constexpr const char* kOneOfSeveral = "several threads read it; which ones besides the writer itself was not kept";

const char* reason_of(std::string_view rule) {
  if (rule == "C0207") return "threads of different blocks, and only block scope orders them";
  if (rule == "C0208") return "an asynchronous copy and a thread, and no thread has waited for the copy";
  return "different threads, and nothing orders them";
}

std::string name_of_place(const MemoryPlace& memory, Address address) {
  const uint64_t offset = address - memory.base;
  if (memory.space == "shared") return fmt::format("byte {} of shared memory", offset);
  return fmt::format("byte {} of {}", offset, memory.name.empty() ? "an allocation" : memory.name);
}

// Nothing stands between the accesses of one statement: advice to put a barrier there would lead astray. "" where they
// are two.
std::string help_for_one_statement(std::string_view rule, const Finding& race) {
  const auto &one = race.parties[0].code.frames, &other = race.parties[1].code.frames;
  const bool one_statement = !one.empty() && !other.empty() && one[0].line != 0 && one[0].line == other[0].line &&
                             one[0].file == other[0].file;
  if ((rule != "C0201" && rule != "C0202") || !one_statement) return "";
  return fmt::format(
      "several threads use this element in one statement: let one thread do it, use an atomic operation, or give each "
      "thread an element of its own; where the two are rounds of a loop, put {} between the rounds",
      rule == "C0202" ? "__syncwarp()" : "__syncthreads()");
}

}  // namespace

FindingSink::Cause RaceReporter::race(const exec::BlockRun& run, const char* rule, const RaceAccess& before,
                                      const RaceAccess& now, Address address, uint64_t bytes, const char* note) {
  return report(run, rule, before, now, address, bytes, note, /*names_before=*/true);
}

// A cause of its own: report/consequences.h leaves it out where the same places were reported with a name.
void RaceReporter::race_with_unnamed_reader(const exec::BlockRun& run, const char* rule, const RaceAccess& reader,
                                            const RaceAccess& now, Address address, uint64_t bytes) {
  report(run, rule, reader, now, address, bytes, kOneOfSeveral, /*names_before=*/false);
}

FindingSink::Cause RaceReporter::report(const exec::BlockRun& run, const char* rule, const RaceAccess& before,
                                        const RaceAccess& now, Address address, uint64_t bytes, const char* note,
                                        bool names_before) {
  const auto [first, second] = std::minmax(before.site, now.site);
  Shown& shown = reported_[{first, second, rule, names_before}];
  const LaunchOrder order = order_of(run);
  if (shown.cause != 0 && !order.before(shown.order)) {
    again(shown.cause, 1);
    return shown.cause;
  }
  const exec::KernelLaunch& launch = run.launch.launch;
  MemoryPlace memory = memory_place(*arena_, address, bytes, &run);
  name_allocation(memory, *arena_);
  Finding finding = make_finding(rule, fmt::format("{} and {} of {} by {}", before.role(), now.role(),
                                                   name_of_place(memory, address), reason_of(rule)));
  finding.parties.push_back(party_of(launch, now));
  finding.parties.push_back(party_of(launch, before));
  if (!names_before) finding.parties.back().thread.reset();
  if (note) finding.notes.push_back(note);
  finding.help = help_for_one_statement(rule, finding);
  finding.memory = std::move(memory);
  finding.order = order;
  shown = {sink_.report(std::move(finding)), order};
  return shown.cause;
}

Party RaceReporter::party_of(const exec::KernelLaunch& launch, const RaceAccess& access) const {
  return thread_party(launch, access.role(), blocks_.block_of(access.serial).value_or(0), access.thread,
                      sites_[access.site].place());
}

void RaceReporter::streams(Party now, Party before, Address address, size_t bytes, const PastCommand& past,
                           const CommandHistory::Order& running) {
  Finding finding = make_finding(
      "C0204", fmt::format("{} and {} of the same memory by work of different streams, and nothing orders the two",
                           before.role, now.role));
  if (now.host.empty()) now.host = running.submitted_at;
  if (before.host.empty()) before.host = past.order->submitted_at;
  finding.parties.push_back(std::move(now));
  finding.parties.push_back(std::move(before));
  finding.memory = memory_place(*arena_, address, bytes, nullptr);
  name_allocation(*finding.memory, *arena_);
  sink_.report(std::move(finding));
}

void RaceReporter::host(Party host, Party device, Address address, size_t bytes, const PastCommand& past) {
  Finding finding = make_finding(
      "C0205", fmt::format("{} by the host and {} by the device of the same memory, and the host has not waited",
                           host.role, device.role));
  finding.parties.push_back(std::move(host));
  finding.parties.push_back(std::move(device));
  finding.memory = memory_place(*arena_, address, bytes, nullptr);
  if (past.is_launch()) name_global(*finding.memory, *past.launch.image);
  name_allocation(*finding.memory, *arena_);
  sink_.report(std::move(finding));
}

void RaceReporter::cluster(const exec::KernelLaunch& launch, const RaceAccess& visit, Address address, uint8_t bytes,
                           uint64_t owner, Address shared, uint64_t size) {
  FindingSink::Cause& cause = reported_in_clusters_[visit.site];
  if (cause != 0) return sink_.again(cause);
  const char* role = visit.writes ? "write" : "read";
  Finding finding = make_finding(
      "C0211", fmt::format("{} of the shared memory of another block of the cluster, which may have ended", role));
  finding.parties.push_back(
      thread_party(launch, role, blocks_.block_of(visit.serial).value_or(0), visit.thread, sites_[visit.site].place()));
  finding.memory = MemoryPlace{
      .space = "shared", .address = address, .bytes = bytes, .base = shared, .size = size, .allocated = true};
  const device::Dim3 other = launch.block_at(owner);
  finding.notes.push_back(
      fmt::format("no thread of block ({},{},{}) waits for the access before it ends", other.x, other.y, other.z));
  cause = sink_.report(std::move(finding));
}

}  // namespace warpwise::check
