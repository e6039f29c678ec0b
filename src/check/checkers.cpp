#include "check/checkers.h"

#include <vector>

#include "check/assert_checker.h"
#include "check/host_pointer_checker.h"
#include "check/memory_checker.h"
#include "check/number_checker.h"
#include "check/race_checker.h"
#include "check/still_running.h"
#include "check/sync_checker.h"
#include "check/tensor_memory_checker.h"

namespace warpwise::check {

namespace {

// Several observers as one.
class Together : public exec::Observer {
 public:
  void add(std::unique_ptr<exec::Observer> observer) { all_.push_back(std::move(observer)); }
  bool empty() const { return all_.empty(); }

  uint32_t watch() const override {
    uint32_t bits = 0;
    for (const auto& o : all_) bits |= o->watch();
    return bits;
  }
  bool wants_order() const override {
    bool wants = false;
    for (const auto& o : all_) wants = wants || o->wants_order();
    return wants;
  }
  void begin(exec::Arena& arena) override { each(&Observer::begin, arena); }
  void allocated(const exec::Region& region) override { each(&Observer::allocated, region); }
  void freed(const exec::Region& region) override { each(&Observer::freed, region); }
  void heap_allocated(device::Address base, size_t bytes) override { each(&Observer::heap_allocated, base, bytes); }
  void heap_allocated_by(exec::BlockRun& run, device::Address base, uint64_t pc) override {
    each(&Observer::heap_allocated_by, run, base, pc);
  }
  void program_ends() override { each(&Observer::program_ends); }
  void heap_freed(device::Address base, size_t bytes) override { each(&Observer::heap_freed, base, bytes); }
  void variables_placed(const ptx::Module& module, const ptx::GlobalsLayout& layout, device::Address base) override {
    each(&Observer::variables_placed, module, layout, base);
  }
  void written(device::Address to, size_t bytes) override { each(&Observer::written, to, bytes); }
  void host_reads(device::Address from, size_t bytes) override { each(&Observer::host_reads, from, bytes); }
  void copies(device::Address to, device::Address from, size_t bytes) override {
    each(&Observer::copies, to, from, bytes);
  }
  void lifetime(device::Address base, size_t bytes, bool ends, const HostPlace& host) override {
    each(&Observer::lifetime, base, bytes, ends, host);
  }
  void annotated(const device::MemoryAnnotation& annotation, const HostPlace& host) override {
    each(&Observer::annotated, annotation, host);
  }
  void host_touched(device::Address at, bool writes, const HostPlace& place) override {
    each(&Observer::host_touched, at, writes, place);
  }
  void host_side(device::Address at, size_t bytes, bool writes) override {
    each(&Observer::host_side, at, bytes, writes);
  }
  void command_begins(const std::shared_ptr<const exec::StreamOrder::Command>& command) override {
    each(&Observer::command_begins, command);
  }
  void launch_begins(const exec::KernelLaunch& launch) override { each(&Observer::launch_begins, launch); }
  void launch_ends(const exec::KernelLaunch& launch) override { each(&Observer::launch_ends, launch); }
  void bulk_copy_begins(const exec::BulkAtShared& load) override { each(&Observer::bulk_copy_begins, load); }
  void block_memory(exec::BlockRun& run) override { each(&Observer::block_memory, run); }
  void block_begins(exec::BlockRun& run) override { each(&Observer::block_begins, run); }
  void on_event(const exec::ObservedEvent& access) override { each(&Observer::on_event, access); }
  void tensor_memory_mistaken(const exec::TensorMemoryMistake& mistake) override {
    each(&Observer::tensor_memory_mistaken, mistake);
  }
  void faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) override {
    each(&Observer::faulted, launch, fault);
  }

 private:
  using Observer = exec::Observer;
  template <class Member, class... Arguments>
  void each(Member member, Arguments&&... arguments) {
    for (auto& o : all_) ((*o).*member)(arguments...);
  }

  std::vector<std::unique_ptr<exec::Observer>> all_;
};

}  // namespace

std::shared_ptr<exec::Observer> make_checkers(CheckerSet checkers, FindingSink& sink,
                                              std::unique_ptr<exec::Observer> also) {
  auto together = std::make_shared<Together>();
  const MemoryChecker::Families memory{checkers.has(Checker::Memory), checkers.has(Checker::Init),
                                       checkers.has(Checker::Outputs)};
  if (memory.any()) together->add(std::make_unique<MemoryChecker>(sink, memory));
  if (memory.addresses || memory.initialisation)
    together->add(std::make_unique<TensorMemoryChecker>(sink, memory.addresses, memory.initialisation));
  if (checkers.has(Checker::Race)) together->add(std::make_unique<RaceChecker>(sink));
  if (checkers.has(Checker::Sync)) together->add(std::make_unique<SyncChecker>(sink));
  if (checkers.has(Checker::Assert)) together->add(std::make_unique<AssertChecker>(sink));
  if (checkers.has(Checker::Api)) together->add(std::make_unique<HostPointerChecker>(sink));
  if (checkers.has(Checker::Numbers)) together->add(std::make_unique<NumberChecker>(sink));
  if (!together->empty() && StillRunning::is_of_use()) together->add(std::make_unique<StillRunning>());
  if (also) together->add(std::move(also));
  return together->empty() ? nullptr : together;
}

}  // namespace warpwise::check
