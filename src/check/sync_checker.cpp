#include "check/sync_checker.h"

#include <fmt/format.h>

#include <bit>

#include "check/places.h"
#include "exec/fault_report.h"
#include "simt/shadow.h"

namespace warpwise::check {

using exec::Misuse;
using exec::NoticedAccess;

uint32_t SyncChecker::watch() const { return simt::kWatchBarriers; }

void SyncChecker::block_begins(exec::BlockRun& run) {
  std::lock_guard lock(mutex_);
  Block& block = blocks_[&run];
  block.index = run.block;
  block.meetings.assign(run.launch.launch.block.count(), 0);
  block.first.clear();
}

void SyncChecker::noticed(const NoticedAccess& access) {
  const simt::Notice what = simt::Notice::unpack(access.what);
  if (what.kind != simt::NoticeKind::Barrier || access.mask == 0) return;
  const unsigned lane = static_cast<unsigned>(std::countr_zero(access.mask));
  if (access.addresses[lane] != 0) return;  // named barriers may be met from several places: warps with different tasks do so
  const simt::Site* site = access.run.launch.kernel.site_at(access.pc);
  if (!site) return;
  const uint32_t who = access.run.running_thread >= 0 ? static_cast<uint32_t>(access.run.running_thread) : access.warp * simt::kLanes + lane;
  const uint32_t unit = access.run.running_thread >= 0 ? who : access.warp * simt::kLanes;
  std::lock_guard lock(mutex_);
  Block& block = blocks_[&access.run];
  const uint32_t meeting = block.meetings[unit]++;
  if (meeting >= block.first.size()) {
    block.first.push_back({site, who});
    return;
  }
  const Arrival& first = block.first[meeting];
  if (first.site->function == site->function && first.site->instruction == site->instruction) return;
  const exec::KernelLaunch& launch = access.run.launch.launch;
  const ptx::Module& module = *launch.image->module;
  CodePlace here = code_place(module, site->function, site->instruction), there = code_place(module, first.site->function, first.site->instruction);
  if (here.frames == there.frames && !here.frames.empty()) return;  // one barrier of the source that the compiler has copied
  auto text = [](const CodePlace& place) { return place.frames.empty() ? place.instruction : fmt::format("{}:{}", place.frames[0].file, place.frames[0].line); };
  FindingSink::Cause& cause = reported_[{text(here), text(there)}];
  if (cause != 0) return sink_.again(cause);
  Finding finding = make_finding("C0402", "threads of a block wait at different barriers, and meet there");
  finding.parties.push_back(thread_party(launch, "barrier", block.index, who, std::move(here)));
  finding.parties.push_back(thread_party(launch, "barrier", block.index, first.thread, std::move(there)));
  cause = sink_.report(std::move(finding));
}

void SyncChecker::faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) {
  const char* rule = nullptr;
  switch (fault.misuse) {
    case Misuse::None: return;
    case Misuse::Deadlock: rule = "C0407"; break;
    case Misuse::MaskWithoutCaller: rule = "C0403"; break;
    case Misuse::Mbarrier: rule = "C0406"; break;
  }
  Finding finding = make_finding(rule, fault.what);
  finding.parties.push_back(thread_party(launch, "barrier", fault.block, fault.thread, code_place(*launch.image->module, fault.function, fault.instruction)));
  finding.notes.push_back("the kernel was ended here");
  sink_.report(std::move(finding));
}

}  // namespace warpwise::check
