#include "check/sync/sync_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "check/source/places.h"
#include "check/source/source_text.h"
#include "exec/fault/fault_report.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

using exec::Misuse;
using exec::ObservedEvent;
using simt::EventKind;
using simt::event::Barrier;
using simt::event::Collective;
using simt::event::Reconvergence;

namespace {

constexpr unsigned kLanes = simt::kLanes;

// The lanes of a mask, from the lowest on.
struct LanesOf {
  uint32_t left;
  LanesOf begin() const { return *this; }
  LanesOf end() const { return {0}; }
  unsigned operator*() const { return static_cast<unsigned>(std::countr_zero(left)); }
  LanesOf& operator++() { return left &= left - 1, *this; }
  bool operator!=(const LanesOf& other) const { return left != other.left; }
};
LanesOf lanes_of(uint32_t mask) { return {mask}; }

// Of a warp: the lane and the thread; in independent-thread mode the one thread that runs.
struct Lanes {
  uint32_t warp, mask;
  explicit Lanes(const ObservedEvent& access) {
    const int64_t alone = access.run.running_thread;
    warp = alone >= 0 ? static_cast<uint32_t>(alone) / kLanes : access.warp;
    mask = alone >= 0 ? 1u << static_cast<uint32_t>(alone) % kLanes : access.mask;
  }
};

// Operands lie at the lane, in independent-thread mode at the first.
uint64_t operand(const ObservedEvent& access, const uint64_t* values, unsigned lane) {
  return values[access.run.running_thread >= 0 ? 0 : lane];
}

// PTX ISA, shfl.sync: the lane that is read from; the lane itself where that is out of range.
unsigned source_of(unsigned mode, unsigned lane, uint64_t operands) {
  const int b = static_cast<int>(operands & 31), c = static_cast<int>(operands >> 32);
  const int clamp = c & 31, segment = c >> 8 & 31, own = static_cast<int>(lane);
  const int highest = (own & segment) | (clamp & ~segment), lowest = own & segment;
  int source = own;
  switch (mode) {
    case 0:
      source = own - b;
      return static_cast<unsigned>(source >= highest ? source : own);
    case 1:
      source = own + b;
      break;
    case 2:
      source = own ^ b;
      break;
    default:
      source = lowest | (b & ~segment);
      break;
  }
  return static_cast<unsigned>(source <= highest ? source : own);
}

std::string thread_text(const exec::KernelLaunch& launch, uint32_t thread) {
  const device::Dim3 t = launch.thread_at(thread);
  return fmt::format("thread ({},{},{})", t.x, t.y, t.z);
}

}  // namespace

uint32_t SyncChecker::watch() const { return simt::kWatchBarriers; }

void SyncChecker::launch_begins(const exec::KernelLaunch&) {
  std::lock_guard lock(mutex_);
  blocks_.clear();
  left_out_.clear();
  returned_.clear();
}

void SyncChecker::launch_ends(const exec::KernelLaunch&) {
  std::lock_guard lock(mutex_);
  for (auto& [run, block] : blocks_) finish(block);
  blocks_.clear();
}

void SyncChecker::block_begins(exec::BlockRun& run) {
  std::lock_guard lock(mutex_);
  Block& block = blocks_[&run];
  finish(block);
  block = {};
  block.launch = &run.launch.launch;
  block.kernel = &run.launch.kernel;
  block.index = run.block;
  const size_t threads = run.launch.launch.block.count();
  block.barriers.assign(threads, 0);
  block.warps.resize((threads + kLanes - 1) / kLanes);
}

void SyncChecker::on_event(const ObservedEvent& access) {
  const EventKind kind = simt::kind_of(access.what);
  if (kind == EventKind::Barrier && simt::unpack<Barrier>(access.what).of == Barrier::Of::Block) return;
  std::lock_guard lock(mutex_);
  auto found = blocks_.find(&access.run);
  if (found == blocks_.end()) return;
  Block& block = found->second;
  const Lanes here(access);
  if (kind != EventKind::Collective) block.warps[here.warp].waiting &= ~here.mask;
  auto site = [&] { return access.run.launch.kernel.site_at(access.pc); };
  const simt::Overloaded by_kind{
      [&](const Barrier&) { arrive(block, access, site()); },
      [&](const Collective& what) { arrive_at_collective(block, access, what, site()); },
      [&](const Reconvergence& what) {
        if (what.of == Reconvergence::Of::Collectives)
          pass_collectives(block, access);
        else
          pass_barriers(block, access, what.of == Reconvergence::Of::End);
      },
      [](const auto&) {},
  };
  simt::visit_event(access.what, by_kind);
}

// --- barriers -----------------------------------------------------------------------------------------

void SyncChecker::arrive(Block& block, const ObservedEvent& access, const simt::Site* site) {
  const Lanes here(access);
  const unsigned lane = static_cast<unsigned>(std::countr_zero(here.mask));
  // Warps with different tasks may arrive at a named barrier from several places.
  if (!site || operand(access, access.addresses, lane) != 0) return;
  const uint32_t who = here.warp * kLanes + lane;
  const uint32_t count = block.barriers[who];
  for (unsigned l : lanes_of(here.mask)) ++block.barriers[here.warp * kLanes + l];
  if (count >= block.first.size()) {
    block.first.resize(count + 1);
    block.first[count] = {site, who};
    return;
  }
  const Arrival& first = block.first[count];
  if (!first.site || (first.site->function == site->function && first.site->instruction == site->instruction)) return;
  CodePlace at = place_of(block, {site, who}), there = place_of(block, first);
  if (at.frames == there.frames && !at.frames.empty())
    return;  // one barrier of the source that the compiler has copied
  auto text = [](const CodePlace& place) {
    return place.frames.empty() ? place.instruction : fmt::format("{}:{}", place.frames[0].file, place.frames[0].line);
  };
  FindingSink::Cause& cause = reported_[{text(at), text(there)}];
  if (cause != 0) return sink_.again(cause);
  Finding finding = make_finding("C0402", "threads of a block wait at different barriers, as if they were one");
  finding.parties.push_back(thread_party(*block.launch, "barrier", block.index, who, std::move(at)));
  finding.parties.push_back(thread_party(*block.launch, "barrier", block.index, first.thread, std::move(there)));
  cause = sink_.report(std::move(finding));
}

void SyncChecker::pass_barriers(Block& block, const ObservedEvent& access, bool at_end) {
  const Lanes here(access);
  const uint64_t join = access.addresses[std::countr_zero(access.mask)];
  std::vector<uint32_t>& passes = block.passes[join];
  if (passes.empty()) passes.assign(block.barriers.size(), 0);
  std::vector<Passing>& passed = block.passed[join];
  for (unsigned lane : lanes_of(here.mask)) {
    const uint32_t thread = here.warp * kLanes + lane, pass = passes[thread]++, barriers = block.barriers[thread];
    if (pass >= kMostPasses) continue;
    if (pass >= passed.size()) {
      passed.push_back({barriers, thread});
      continue;
    }
    const Passing& other = passed[pass];
    if (other.barriers == barriers) continue;
    const uint32_t fewer = std::min(barriers, other.barriers),
                   left_out = barriers < other.barriers ? thread : other.thread;
    if (fewer >= block.first.size() || !block.first[fewer].site) continue;
    if (at_end ? !is_left_out(block, block.first[fewer])
               : has_returned(block, block.first[fewer], access.run.launch.kernel.site_at(access.pc)))
      continue;
    report_at("C0401", "a barrier that some threads of the block reach and others go past", block, "barrier",
              block.first[fewer], fmt::format("{} goes past it", thread_text(*block.launch, left_out)));
  }
}

bool SyncChecker::is_left_out(const Block& block, const Arrival& barrier) {
  auto [known, fresh] = left_out_.try_emplace(barrier.site, false);
  if (fresh) known->second = is_conditional_without_return(place_of(block, barrier).frames);
  return known->second;
}

bool SyncChecker::has_returned(const Block& block, const Arrival& barrier, const simt::Site* join) {
  if (!join) return false;
  auto [known, fresh] = returned_.try_emplace({barrier.site, join}, false);
  if (!fresh) return known->second;
  const CodePlace place = place_of(block, {join, 0});
  if (!place.frames.empty()) known->second = leaves_loop_to_return(place_of(block, barrier).frames, place.frames[0]);
  return known->second;
}

CodePlace SyncChecker::place_of(const Block& block, const Arrival& at) {
  return code_place(*block.launch->image->module, at.site->function, at.site->instruction,
                    block.kernel->calls_around(at.site->call));
}

// --- masks --------------------------------------------------------------------------------------------

void SyncChecker::arrive_at_collective(Block& block, const ObservedEvent& access, const Collective& what,
                                       const simt::Site* site) {
  if (!site) return;
  const Lanes here(access);
  Warp& warp = block.warps[here.warp];
  const bool alone = access.run.running_thread >= 0;
  const uint32_t threads = static_cast<uint32_t>(block.barriers.size());
  const uint32_t existing = threads - here.warp * kLanes >= kLanes ? ~0u : (1u << threads % kLanes) - 1;
  for (unsigned lane : lanes_of(here.mask)) {
    const uint64_t operands = operand(access, access.addresses, lane);
    const uint32_t mask = Collective::mask(operands), group = Collective::group(operands);
    const Arrival by{site, here.warp * kLanes + lane};
    if (!(mask >> lane & 1)) {
      report_at("C0403",
                fmt::format("lane {} calls a warp function with the mask {:#010x}, which leaves it out", lane, mask),
                block, "warp function", by, "");
      continue;
    }
    std::erase_if(warp.missed, [&](const auto& entry) {
      return entry.first.second == lane && wait_for_each_other(block, entry.second.by.site, site);
    });  // it came
    // Who is named, is there or waits for this already; in independent-thread mode the others arrive one by one.
    uint32_t absent = mask & existing & ~here.mask;
    for (unsigned other : lanes_of(absent & warp.waiting))
      if (warp.masks[other] == mask && wait_for_each_other(block, warp.sites[other], site)) absent &= ~(1u << other);
    if (group != 0 && absent != 0) {
      const Passes& passes = warp.passes[group];
      const std::vector<uint32_t> own = passes.of(lane);
      for (unsigned other : lanes_of(absent)) {
        // In independent-thread mode it may have passed already.
        if (passes.is_past(other, own)) {
          block.masks_reported.insert(site);
          report_at("C0404", fmt::format("a mask names lane {}, which goes past", other), block, "warp function", by,
                    fmt::format("{} is alive and goes past", thread_text(*block.launch, here.warp * kLanes + other)));
        } else {
          warp.missed.try_emplace({group, other}, Missed{by, own});
        }
      }
    }
    if (what.is_shuffle && what.used_by_all) {
      const unsigned source = source_of(what.mode, lane, operand(access, access.values, lane));
      const bool exists = existing >> source & 1, named = mask >> source & 1;
      if (source != lane && (!exists || !named || (!alone && !(here.mask >> source & 1))))
        block.no_source.try_emplace(site, NoSource{by, source});
    }
    warp.masks[lane] = mask;
    warp.sites[lane] = site;
  }
  warp.waiting |= here.mask;
}

bool SyncChecker::wait_for_each_other(const Block& block, const simt::Site* one, const simt::Site* other) {
  if (one == other) return true;
  const auto& functions = block.launch->image->module->functions;
  const ptx::Instruction& first = functions[one->function].instructions[one->instruction];
  const ptx::Instruction& second = functions[other->function].instructions[other->instruction];
  return first.op == second.op && first.mods == second.mods;
}

void SyncChecker::pass_collectives(Block& block, const ObservedEvent& access) {
  const Lanes here(access);
  const uint64_t number = access.addresses[std::countr_zero(access.mask)];
  const uint32_t group = Reconvergence::group(number), which = Reconvergence::which(number);
  Warp& warp = block.warps[here.warp];
  Passes& passes = warp.passes[group];
  if (passes.points.size() <= which) passes.points.resize(which + 1);
  for (unsigned lane : lanes_of(here.mask)) ++passes.points[which][lane];
  for (unsigned lane : lanes_of(here.mask)) {
    auto missed = warp.missed.find({group, lane});
    if (missed == warp.missed.end()) continue;
    const Arrival by = missed->second.by;
    const bool past = passes.is_past(lane, missed->second.passes);
    warp.missed.erase(missed);
    if (!past) continue;
    block.masks_reported.insert(by.site);
    report_at("C0404", fmt::format("a mask names lane {}, which goes past", lane), block, "warp function", by,
              fmt::format("{} is alive and goes past", thread_text(*block.launch, here.warp * kLanes + lane)));
  }
}

// Known only now: a lane that gives no value had returned, or the mask named one that went past.
void SyncChecker::finish(Block& block) {
  for (const auto& [site, lane] : block.no_source) {
    if (block.masks_reported.contains(site)) continue;
    report_at("C0405",
              fmt::format("lane {} takes a value from lane {}, which does not take part", lane.by.thread % kLanes,
                          lane.source),
              block, "warp function", lane.by, "");
  }
  block.no_source.clear();
}

void SyncChecker::report_at(const char* rule, std::string message, const Block& block, const char* role,
                            const Arrival& by, std::string note) {
  const ptx::Module& module = *block.launch->image->module;
  FindingSink::Cause& cause = reported_at_[{rule, &module, by.site->function, by.site->instruction, by.site->call}];
  if (cause != 0) return sink_.again(cause);
  Finding finding = make_finding(rule, std::move(message));
  finding.parties.push_back(thread_party(*block.launch, role, block.index, by.thread, place_of(block, by)));
  if (!note.empty()) finding.notes.push_back(std::move(note));
  cause = sink_.report(std::move(finding));
}

void SyncChecker::faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) {
  const char* rule = nullptr;
  switch (fault.misuse) {
    case Misuse::None:
      if (fault.failure != device::Failure::LaunchTimeout || fault.what == "interrupted") return;
      rule = "C0407";
      break;
    case Misuse::InvalidFree:
    case Misuse::Trap:
    case Misuse::TensorMemory:
      return;
    case Misuse::Deadlock:
      rule = "C0407";
      break;
    case Misuse::MaskWithoutCaller:
      rule = "C0403";
      break;
    case Misuse::Mbarrier:
      rule = "C0406";
      break;
  }
  // What follows the first line says which threads wait where.
  std::vector<std::string> lines;
  for (size_t at = 0; at < fault.what.size();) {
    size_t end = std::min(fault.what.find('\n', at), fault.what.size());
    const size_t begin = fault.what.find_first_not_of(' ', at);
    if (begin < end) lines.push_back(fault.what.substr(begin, end - begin));
    at = end + 1;
  }
  Finding finding = make_finding(rule, lines.empty() ? "" : lines.front());
  if (!lines.empty()) finding.notes.assign(lines.begin() + 1, lines.end());
  const bool is_out_of_time = fault.misuse == Misuse::None;
  const char* role = fault.misuse == Misuse::MaskWithoutCaller ? "warp function"
                     : is_out_of_time                          ? "last seen"
                                                               : "barrier";
  if (is_out_of_time) {
    finding.notes.push_back(
        "it may wait for what never comes, or only need longer: --timeout=SECONDS gives it more time");
    finding.help =
        "look at the loop that this line stands in: what makes its condition false for this thread, and which thread "
        "writes what it waits for?";
  }
  finding.parties.push_back(
      thread_party(launch, role, fault.block, fault.thread,
                   code_place(*launch.image->module, fault.function, fault.instruction, fault.calls)));
  finding.notes.push_back("the kernel was ended here");
  sink_.report(std::move(finding));
}

}  // namespace warpwise::check
