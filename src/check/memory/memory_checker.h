// Accesses of kernels outside of memory, reads of uninitialised memory, and allocations that are never written: C01..
// and C03.. of base/rules.inc.
//
// Compiled code compares the shadow of each access by itself (simt/instrument/insert_checks.h) and comes here with the
// lanes whose shadow does not allow it. This keeps the shadow true of allocations, copies and the start of blocks.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/finding.h"
#include "check/memory/annotated_memory.h"
#include "check/memory/shadow_memory.h"
#include "check/source/places.h"
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
  void heap_allocated_by(exec::BlockRun& run, device::Address base, uint64_t pc) override;
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
  using Site = std::tuple<const ptx::Module*, int64_t, int64_t, std::string,
                          uint32_t>;  // function, instruction, rule, call that it stands in
  FindingSink::Cause* known(const Site& site);
  // An access that compiled code reports: what to check and to mark.
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
  bool copies_one_value(const ptx::Module& module, int64_t function, int64_t instruction);
  MemoryPlace place_of(device::Address address, uint64_t bytes, const exec::BlockRun* run) const;
  void forget_written();
  uint64_t written_bytes(const exec::Region& region);
  void find_pointers(exec::BlockRun& run);
  void paint_local_ends(exec::BlockRun& run);
  void end_frames(const exec::ObservedEvent& access);
  void check_parameter(const exec::ObservedEvent& access, uint8_t bytes);
  void report_unwritten(device::Address base, size_t bytes);
  bool is_constant(device::Address address) const;
  bool has_ended(device::Address address) const;

  FindingSink& sink_;
  const bool addresses_, initialisation_, outputs_;
  bool mapped_ = false;
  exec::Arena* arena_ = nullptr;
  ShadowMemory shadow_;
  AnnotatedMemory annotations_{shadow_};
  std::shared_ptr<const exec::StreamOrder::Command> command_;  // that runs
  const exec::KernelImage* image_ = nullptr;                   // of the kernel that runs
  std::vector<SharedVariable> shared_variables_;               // its own
  mutable std::mutex mutex_;
  std::map<Site, FindingSink::Cause> sites_;
  std::map<std::tuple<const ptx::Module*, int64_t, int64_t>, bool> copies_one_value_;  // by function and instruction
  std::unordered_map<device::Address, uint64_t> written_;  // bytes at the start of an allocation
  // What kernels have allocated and not freed, with what is reported of it if that stays so.
  struct OnHeap {
    size_t bytes = 0;
    Party by;
  };
  std::map<device::Address, OnHeap> heap_;
  std::map<device::Address, size_t> ended_;             // memory of graphs that is between two launches
  std::map<device::Address, size_t> may_be_unwritten_;  // allocations of the program's, for outputs_
  std::atomic<bool> failed_ = false;                    // a kernel
};

}  // namespace warpwise::check
