// The part of the race checker that compares commands of different streams: C0204.
//
// Commands run one after the other here. Each comes with what it is certain to follow (exec/queue/stream_order.h); what
// ran earlier and is not among that might as well run at the same time. Blocks of such a launch are found in the cells
// of the words they touched, by their serials; copies and fills are remembered as ranges, and walk the cells of theirs.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "check/places.h"
#include "check/race_checker.h"
#include "check/shadow_memory.h"

namespace warpwise::check {

using device::Address;
using exec::ObservedEvent;
using exec::StreamOrder;

namespace {

// Commands that are remembered while nothing says that they are over, and of each: ranges of a copy, blocks whose
// places are kept by name, words of a copy that are compared.
constexpr size_t kMostPast = 128, kMostRanges = 64, kMostBlocks = 1 << 16, kMostWords = 1 << 24;

}  // namespace

void RaceChecker::command_begins(const std::shared_ptr<const StreamOrder::Command>& command) {
  forget_freed();
  command_ = command;
  beside_.clear();
  std::erase_if(past_, [&](const Past& past) { return past.order->sequence <= command->settled; });
  while (past_.size() > kMostPast) past_.pop_front();
  for (const Past& past : past_)
    if (!command->is_after(*past.order)) beside_.push_back(&past);
}

void RaceChecker::launch_ends(const exec::KernelLaunch& launch) {
  for (const auto& [run, watched] : watched_) block_ends(*watched);
  launch_ = nullptr;
  if (!mapped_ || !command_ || serial_ < first_serial_) return;
  Past past{command_, {}, launch, first_serial_, {}, numbers_[kGlobal], numbered_[kGlobal]};
  if (block_of_.size() <= kMostBlocks) past.blocks = block_of_;
  if (past.numbers.epochs() > kMostBlocks) past.numbers.forget_epochs();
  past_.push_back(std::move(past));
}

const RaceChecker::Past* RaceChecker::beside(Number number) const {
  for (const Past* past : beside_)
    if (past->launch.image && past->numbers.has(number)) return past;
  return nullptr;
}

// A copy or a fill, or a row of one, or a lifetime; what asynchronous copies of a kernel do belongs to the kernel.
// `host`: the host's own act.
void RaceChecker::copied(Address base, size_t bytes, Touch touch, const HostPlace& host) {
  if (!mapped_ || !command_ || launch_ || bytes == 0) return;
  const bool writes = touch != Touch::Read;
  auto report = [&](Party before, Address at, size_t met, const Past& past) {
    Party now = copy_party(*command_, touch);
    if (host.empty()) return report_streams(std::move(now), std::move(before), at, met, past);
    now.host = host;
    report_host(std::move(now), std::move(before), at, met, past);
  };
  for (const Past* past : beside_) {
    for (const Range& range : past->ranges)
      if (base < range.base + range.bytes && range.base < base + bytes && (writes || range.writes()) &&
          (host.empty() || range.touch != Touch::Allocation))
        report(copy_party(*past->order, range.touch), std::max(base, range.base), 1, *past);
    if (!past->launch.image || !ShadowMemory::covers(base, bytes) || bytes / 4 > kMostWords ||
        told_.contains({past->order->sequence, command_->sequence}))
      continue;
    for (Address at = base / 4 * 4; at < base + bytes; at += 4) {
      const Cell cell = cell_of(at);
      std::array<ByteCell, 4> parts;
      parts.fill({cell.write, cell.read});
      if (auto split = bytes_.find(at / 4); split != bytes_.end() && cell.write == simt::kSplitCell)
        parts = split->second;
      auto met = [&](bool wrote) {
        return std::find_if(parts.begin(), parts.end(),
                            [&](const ByteCell& part) { return past->numbers.has(wrote ? part.write : part.read); });
      };
      for (const bool wrote : {true, false}) {
        if (!wrote && !writes) continue;
        const auto part = met(wrote);
        if (part == parts.end()) continue;
        report(party_of(*past, entry_of(kGlobal, wrote ? part->write : part->read), wrote), at, 4, *past);
        at = base + bytes;
        break;
      }
    }
  }
  if (past_.empty() || past_.back().order != command_ || past_.back().launch.image)
    past_.push_back({command_, {}, {}, 1, {}, {}, {}});
  std::vector<Range>& ranges = past_.back().ranges;
  if (ranges.size() < kMostRanges) ranges.push_back({base, bytes, touch});
}

void RaceChecker::compare_with_copies(const ObservedEvent& access, const simt::MemoryAccess& what, const Site& site) {
  const bool writes = what.writes();
  for (const Past* past : beside_) {
    for (const Range& range : past->ranges) {
      if (!writes && !range.writes()) continue;
      for (uint32_t left = access.mask; left != 0; left &= left - 1) {
        const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
        const Address address = access.addresses[lane];
        if (address >= range.base + range.bytes || range.base >= address + what.bytes) continue;
        const int64_t alone = access.run.running_thread;
        Party party = thread_party(access.run.launch.launch, writes ? "write" : "read", access.run.block,
                                   alone >= 0 ? alone : int64_t{access.warp} * simt::kLanes + lane, site.place());
        report_streams(std::move(party), copy_party(*past->order, range.touch), address, what.bytes, *past);
        break;
      }
    }
  }
}

void RaceChecker::compare_with_stream(const ObservedEvent& access, const Entry& before, bool before_writes,
                                      const Entry& entry, bool writes, Address address) {
  const Past* past = beside(before.number);
  if (!past || (before.strong && entry.strong)) return;
  const Site& site = sites_[entry.site];
  Party party = thread_party(access.run.launch.launch,
                             entry.atomic ? "atomic"
                             : writes     ? "write"
                                          : "read",
                             access.run.block, entry.thread, site.place());
  report_streams(std::move(party), party_of(*past, before, before_writes), address,
                 simt::unpack<simt::event::Access>(access.what).access.bytes, *past);
}

Party RaceChecker::party_of(const Past& past, const Entry& entry, bool writes) const {
  const Site& site = sites_[entry.site];
  const uint64_t index = entry.serial < past.first ? ~uint64_t{0} : entry.serial - past.first;
  Party party = thread_party(past.launch,
                             entry.atomic ? "atomic"
                             : writes     ? "write"
                                          : "read",
                             index < past.blocks.size() ? past.blocks[index] : 0, entry.thread, site.place());
  if (index >= past.blocks.size()) party.block.reset();
  return party;
}

Party RaceChecker::copy_party(const StreamOrder::Command& order, Touch touch) const {
  switch (touch) {
    case Touch::Read:
      return {.role = "read", .detail = "a copy or fill", .host = order.submitted_at};
    case Touch::Write:
      return {.role = "write", .detail = "a copy or fill", .host = order.submitted_at};
    case Touch::Allocation:
      return {.role = "allocation", .detail = "memory of a pool", .host = order.submitted_at};
    case Touch::Free:
      return {.role = "free", .detail = "memory of a pool", .host = order.submitted_at};
  }
  return {};
}

void RaceChecker::report_streams(Party now, Party before, Address address, size_t bytes, const Past& past) {
  if (told_.size() > (1 << 16)) told_.clear();
  if (!told_.insert({past.order->sequence, command_->sequence}).second) return;
  Finding finding = make_finding(
      "C0204", fmt::format("{} and {} of the same memory by work of different streams, and nothing orders the two",
                           before.role, now.role));
  if (now.host.empty()) now.host = command_->submitted_at;
  if (before.host.empty()) before.host = past.order->submitted_at;
  finding.parties.push_back(std::move(now));
  finding.parties.push_back(std::move(before));
  finding.memory = memory_place(*arena_, address, bytes, nullptr);
  sink_.report(std::move(finding));
}

}  // namespace warpwise::check
