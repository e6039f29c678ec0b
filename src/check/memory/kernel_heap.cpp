#include "check/memory/kernel_heap.h"

#include <fmt/format.h>

#include <utility>

#include "check/source/places.h"

namespace warpwise::check {

using device::Address;

void KernelHeap::allocated(Address base, size_t bytes) {
  std::lock_guard lock(mutex_);
  allocations_[base].bytes = bytes;
}

void KernelHeap::allocated_by(const exec::BlockRun& run, Address base, uint64_t pc) {
  const simt::Site* at = run.launch.kernel.site_at(pc);
  const exec::KernelLaunch& launch = run.launch.launch;
  CodePlace place =
      at ? code_place(*launch.image->module, at->function, at->instruction, run.launch.kernel.calls_around(at->call))
         : CodePlace{};
  std::lock_guard lock(mutex_);
  if (auto found = allocations_.find(base); found != allocations_.end())
    found->second.by = thread_party(launch, "malloc", run.block, run.running_thread, std::move(place));
}

void KernelHeap::freed(Address base, size_t bytes) {
  std::lock_guard lock(mutex_);
  allocations_.erase(allocations_.lower_bound(base), allocations_.lower_bound(base + bytes));
}

void KernelHeap::report_leaks(FindingSink& sink) {
  std::lock_guard lock(mutex_);
  for (auto& [base, allocation] : allocations_) {
    Finding finding =
        make_finding("C0113", fmt::format("{} bytes that a kernel allocated are never freed", allocation.bytes));
    finding.parties.push_back(std::move(allocation.by));
    sink.report(std::move(finding));
  }
  allocations_.clear();
}

}  // namespace warpwise::check
