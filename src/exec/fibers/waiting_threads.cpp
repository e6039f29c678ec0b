#include "exec/fibers/waiting_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "exec/async/mbarrier.h"
#include "exec/fault/fault_report.h"

namespace warpwise::exec {

namespace {

// Threads 0, 1, 2, 5 as "0 to 2, 5"; cut short.
std::string list_of(const std::vector<uint32_t>& threads) {
  std::string text;
  for (size_t t = 0; t < threads.size();) {
    size_t end = t + 1;
    while (end < threads.size() && threads[end] == threads[end - 1] + 1) ++end;
    if (text.size() > 60) return text + ", ...";
    text += text.empty() ? "" : ", ";
    text += end - t > 1 ? fmt::format("{} to {}", threads[t], threads[end - 1]) : fmt::format("{}", threads[t]);
    t = end;
  }
  return text;
}

// What a thread waits for: "at barrier 0, where 31 of 32 have arrived".
std::string awaited_by(const FiberThread& thread, const BlockRun& run, std::span<const BarrierArrivals> barriers,
                       uint32_t live) {
  switch (thread.state) {
    case FiberThread::State::AtBarrier: {
      const BarrierArrivals& barrier = barriers[thread.barrier];
      return fmt::format("at barrier {}, where {} of {} have arrived", thread.barrier, barrier.threads,
                         barrier.expected ? barrier.expected : live);
    }
    case FiberThread::State::AtMbarrier: {
      uint64_t word = *reinterpret_cast<const uint64_t*>(thread.mbarrier + simt::kAliasOffset);
      uint64_t offset = thread.mbarrier - (run.context.shared - simt::kAliasOffset);
      std::string place = offset < run.context.total_shared_bytes
                              ? fmt::format("shared address {:#x}", offset)
                              : fmt::format("{:#x} (of another block)", thread.mbarrier);
      return fmt::format("at the mbarrier at {}, {}", place, describe_mbarrier(word));
    }
    case FiberThread::State::AtClusterBarrier:
      return "at the cluster's barrier";
    case FiberThread::State::AtColumns:
      return fmt::format("for {} columns of tensor memory, of which {} of {} are taken", thread.b,
                         run.tensor->memory.allocated_columns(), numerics::TensorMemory::kColumns);
    case FiberThread::State::AtCollective:
      return fmt::format("for the lanes of mask {:#010x}", thread.mask);
    default:
      return "in vain";  // woken to ask its mbarrier again, as often before
  }
}

}  // namespace

// Threads that wait for the same thing at the same place make one line.
std::string describe_waiting(const BlockRun& run, std::span<const FiberThread> threads,
                             std::span<const BarrierArrivals> barriers, uint32_t live, const std::string& prefix) {
  struct Group {
    const FiberThread* first;
    std::vector<uint32_t> threads;
  };
  using State = FiberThread::State;
  std::vector<Group> groups;
  for (const FiberThread& thread : threads) {
    if (thread.state == State::Exited) continue;
    auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
      if (g.first->state != thread.state || g.first->pc != thread.pc) return false;
      switch (thread.state) {
        case State::AtBarrier:
          return g.first->barrier == thread.barrier;
        case State::AtCollective:
          return g.first->collective == thread.collective && g.first->mask == thread.mask &&
                 g.first->warp() == thread.warp();
        case State::AtMbarrier:
          return g.first->mbarrier == thread.mbarrier;
        default:
          return true;
      }
    });
    if (same == groups.end()) same = groups.insert(groups.end(), {&thread, {}});
    for (uint32_t lane = 0; lane < thread.lanes; ++lane) same->threads.push_back(thread.context.thread + lane);
  }
  std::string text;
  constexpr size_t kMaxGroups = 16;
  for (size_t i = 0; i < groups.size() && i < kMaxGroups; ++i) {
    const FiberThread& first = *groups[i].first;
    const simt::Site* site = run.launch.site_at(first.pc);
    const ptx::Module& module = *run.launch.launch.image->module;
    std::string where = site ? describe_place(module, site->function, site->instruction)
                             : describe_place(module, run.launch.launch.image->kernel, first.site);
    const bool one = groups[i].threads.size() == 1;
    text += fmt::format("\n    {}{} {} {} {}{}{}", prefix, one ? "thread" : "threads", list_of(groups[i].threads),
                        one ? "waits" : "wait", awaited_by(first, run, barriers, live), where.empty() ? "" : ", at ",
                        where);
  }
  if (groups.size() > kMaxGroups) text += fmt::format("\n    and {} more places", groups.size() - kMaxGroups);
  return text;
}

}  // namespace warpwise::exec
