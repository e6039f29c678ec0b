// Accesses of kernels outside of memory, reads of uninitialised memory, and allocations that are never written: C01..
// and C03.. of base/rules.inc.
//
// Each byte of device memory has a byte of shadow (simt/instrument/shadow.h): no memory, uninitialised, initialised, or
// read-only. Compiled code compares the shadow of each access by itself (simt/instrument/insert_checks.h) and reports
// the lanes whose shadow does not allow it. The checker keeps the shadow true, and makes findings of what is reported:
//
//     cudaMalloc                     uninitialised            allocated()
//     cudaMemcpy to the device       initialised              written()
//     a kernel stores                initialised              by compiled code
//     a block begins                 shared memory and local memory uninitialised      BlockShadow
//     cudaFree                       no memory                freed()
//
// Functions of MemoryObserver are called by any thread of the program, all others by those that run commands.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "base/finding.h"
#include "check/memory/annotated_memory.h"
#include "check/memory/block_shadow.h"
#include "check/memory/kernel_heap.h"
#include "check/memory/shadow_memory.h"
#include "check/memory/written_prefixes.h"
#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"
#include "exec/observer.h"
#include "simt/instrument/events.h"

namespace warpwise::check {

class MemoryChecker : public exec::ObserverClient,
                      public exec::MemoryObserver,
                      public exec::TransferObserver,
                      public exec::StreamObserver,
                      public exec::LaunchObserver,
                      public exec::EventObserver,
                      public exec::FaultObserver {
 public:
  // Which families of rules to report.
  struct Families {
    bool addresses = false, initialisation = false, outputs = false;
    bool any() const { return addresses || initialisation || outputs; }
  };
  MemoryChecker(FindingSink& sink, const Families& families)
      : sink_(sink),
        addresses_(families.addresses),
        initialisation_(families.initialisation),
        outputs_(families.outputs) {}

  uint32_t watch() const override;
  void begin(exec::Arena& arena) override;
  void allocated(const exec::Region& region) override;
  void freed(const exec::Region& region) override;
  void lifetime(device::Address base, size_t bytes, bool ends, const HostPlace& host) override;
  void heap_allocated(device::Address base, size_t bytes) override;
  void heap_allocated_by(exec::BlockRun& run, device::Address base, uint64_t pc) override {
    heap_.allocated_by(run, base, pc);
  }
  void heap_freed(device::Address base, size_t bytes) override;
  void program_ends() override;
  void variables_placed(const ptx::Module& module, const ptx::GlobalsLayout& layout, device::Address base) override;
  void command_begins(const std::shared_ptr<const exec::StreamOrder::Command>& command) override { command_ = command; }
  void launch_begins(const exec::KernelLaunch& launch) override;
  void launch_ends(const exec::KernelLaunch& launch) override;
  void written(device::Address to, size_t bytes) override;
  void host_reads(device::Address from, size_t bytes) override;
  void copies(device::Address to, device::Address from, size_t bytes) override;
  void annotated(const device::MemoryAnnotation& annotation, const HostPlace& host) override;
  void block_memory(exec::BlockRun& run) override;
  void block_begins(exec::BlockRun& run) override;
  void on_event(const exec::ObservedEvent& access) override;
  void faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) override;

 private:
  // A place in a program where something is wrong, and in which way: one finding.
  struct Site {
    const ptx::Module* module;
    int64_t function, instruction;  // -1: not known
    std::string rule;
    uint32_t call;  // that it stands in
    auto operator<=>(const Site&) const = default;
  };
  static Site site_of(const exec::ObservedEvent& event, std::string rule);
  // One thread of the event breaks the site's rule.
  Finding finding_of(const exec::ObservedEvent& event, const Site& site, const char* role, uint32_t thread,
                     std::string message, MemoryPlace place) const;
  // What is shown of a site.
  struct Shown {
    FindingSink::Cause cause;
    LaunchOrder order;
  };
  // The cause of a site that was reported from this block, from an earlier one of the launch, or from another launch;
  // otherwise the finding is worth building, for it to be shown.
  const FindingSink::Cause* known(const Site& site, const LaunchOrder& order) const;
  void report(const Site& site, Finding finding);
  // An access that compiled code reports: what to check, and what to note in the shadow.
  struct AccessToCheck {
    simt::MemoryAccess access;
    uint8_t align = 0;          // the address must be a multiple of two to this power
    bool reads = false;         // what is there must have been written
    bool marks = false;         // what is correct is written from now on ...
    bool marks_always = false;  // ... and so is what is not
    bool copied = false;        // a load whose value is only stored
    static AccessToCheck of(const simt::event::Shadow& fault);
    static AccessToCheck of(const simt::event::Unchecked& left);
    static AccessToCheck of(const simt::event::Rows& rows);
  };
  void check_shadow(const exec::ObservedEvent& access, const AccessToCheck& what, unsigned lane);
  // The rule that an access to this address breaks; "" when it breaks none.
  std::string rule_of(device::Address address, uint64_t bytes, const exec::BlockRun* run, bool reads,
                      bool writes) const;
  bool copies_one_value(const Site& site);
  MemoryPlace place_of(device::Address address, uint64_t bytes, const exec::BlockRun* run) const;
  void check_parameter(const exec::ObservedEvent& access, uint8_t bytes);
  void report_unwritten(device::Address base, size_t bytes);
  bool is_constant(device::Address address) const;
  bool has_ended(device::Address address) const;

  FindingSink& sink_;
  const bool addresses_, initialisation_, outputs_;
  bool mapped_ = false;
  exec::Arena* arena_ = nullptr;
  ShadowMemory shadow_;
  BlockShadow blocks_{shadow_};
  WrittenPrefixes written_prefixes_;
  AnnotatedMemory annotations_{shadow_};
  std::shared_ptr<const exec::StreamOrder::Command> command_;  // that runs
  mutable std::mutex mutex_;
  std::map<Site, Shown> sites_;
  std::map<std::tuple<const ptx::Module*, int64_t, int64_t>, bool> copies_one_value_;  // by function and instruction
  KernelHeap heap_;
  std::map<device::Address, size_t> ended_;             // memory of graphs that is between two launches
  std::map<device::Address, size_t> may_be_unwritten_;  // allocations of the program's, for outputs_
  std::atomic<bool> failed_ = false;                    // a kernel
};

}  // namespace warpwise::check
