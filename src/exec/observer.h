// Where the engine reports what happens on a device: an Observer hands each report to the clients that take it
// (observer_clients.h). What compiled code reports by itself is chosen by watch().
//
//     Observer observer;
//     observer.add(std::make_unique<AssertChecker>(sink));   // a client and a FaultObserver
//     observer.faulted(launch, fault);                       // reaches it
//     observer.written(address, 4);                          // reaches no client
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "exec/observer_clients.h"

namespace warpwise::exec {

class Observer {
 public:
  // Of the interfaces that a device has one of, the last client to have it counts.
  void add(std::unique_ptr<ObserverClient> client);
  bool empty() const { return clients_.empty(); }
  // With one client.
  static std::shared_ptr<Observer> of(std::unique_ptr<ObserverClient> client);

  // --- what the clients need
  uint32_t watch() const;
  bool wants_order() const;
  bool wants_blocks_in_order(const KernelLaunch& launch, const LoadedKernel& kernel) const;
  simt::Counting counting() const { return count_ ? count_->counting() : simt::Counting::None; }

  simt::Counting counting_of(const KernelLaunch& launch) const {
    return count_ ? count_->counting_of(launch) : simt::Counting::None;
  }
  simt::ReportedValues values_of(const KernelImage& image) const {
    return count_ ? count_->values_of(image) : simt::ReportedValues{};
  }

  void begin(Arena& arena) { each(clients_, &ObserverClient::begin, arena); }
  void program_ends() { each(clients_, &ObserverClient::program_ends); }

  // --- MemoryObserver
  void allocated(const Region& region) { each(memory_, &MemoryObserver::allocated, region); }
  void freed(const Region& region) { each(memory_, &MemoryObserver::freed, region); }
  void heap_allocated(device::Address base, size_t bytes) {
    each(memory_, &MemoryObserver::heap_allocated, base, bytes);
  }
  void heap_allocated_by(BlockRun& run, device::Address base, uint64_t pc) {
    each(memory_, &MemoryObserver::heap_allocated_by, run, base, pc);
  }
  void heap_freed(device::Address base, size_t bytes) { each(memory_, &MemoryObserver::heap_freed, base, bytes); }
  void variables_placed(const ptx::Module& module, const ptx::GlobalsLayout& layout, device::Address base) {
    each(memory_, &MemoryObserver::variables_placed, module, layout, base);
  }
  void lifetime(device::Address base, size_t bytes, bool ends, const HostPlace& host) {
    each(memory_, &MemoryObserver::lifetime, base, bytes, ends, host);
  }
  void annotated(const device::MemoryAnnotation& annotation, const HostPlace& host) {
    each(memory_, &MemoryObserver::annotated, annotation, host);
  }

  // --- TransferObserver
  void written(device::Address to, size_t bytes) { each(transfers_, &TransferObserver::written, to, bytes); }
  void host_reads(device::Address from, size_t bytes) { each(transfers_, &TransferObserver::host_reads, from, bytes); }
  void copies(device::Address to, device::Address from, size_t bytes) {
    each(transfers_, &TransferObserver::copies, to, from, bytes);
  }
  void host_side(device::Address at, size_t bytes, bool writes) {
    each(transfers_, &TransferObserver::host_side, at, bytes, writes);
  }

  // --- StreamObserver
  void command_begins(const std::shared_ptr<const StreamOrder::Command>& command) {
    each(streams_, &StreamObserver::command_begins, command);
  }
  void host_touched(device::Address at, bool writes, const HostPlace& place) {
    each(streams_, &StreamObserver::host_touched, at, writes, place);
  }

  // --- LaunchObserver
  void launch_begins(const KernelLaunch& launch) { each(launches_, &LaunchObserver::launch_begins, launch); }
  void launch_ends(const KernelLaunch& launch) { each(launches_, &LaunchObserver::launch_ends, launch); }
  void block_memory(BlockRun& run) { each(launches_, &LaunchObserver::block_memory, run); }
  void block_begins(BlockRun& run) { each(launches_, &LaunchObserver::block_begins, run); }

  // --- EventObserver
  void on_event(const ObservedEvent& event) { each(events_, &EventObserver::on_event, event); }
  void bulk_copy_begins(const BulkAtShared& copy) { each(events_, &EventObserver::bulk_copy_begins, copy); }

  // --- FaultObserver
  void faulted(const KernelLaunch& launch, const KernelFault& fault) {
    each(faults_, &FaultObserver::faulted, launch, fault);
  }
  void tensor_memory_mistaken(const TensorMemoryMistake& mistake) {
    each(faults_, &FaultObserver::tensor_memory_mistaken, mistake);
  }

  // --- CountObserver: called only where counting() is not None
  bool counts_in_quick_tier() const { return count_ && count_->counts_in_quick_tier(); }
  bool count_block(BlockRun& run) { return count_->count_block(run); }
  void pilot_ended(const KernelLaunch& launch) { count_->pilot_ended(launch); }
  void block_ends(BlockRun& run) { count_->block_ends(run); }
  void counted(const CountedLanes& access) { count_->counted(access); }
  void counted_one(const CountedAddress& access) { count_->counted_one(access); }
  void counted(const CountedThread& mark) { count_->counted(mark); }
  void bulk_copied(BlockRun& run, const BulkTraffic& traffic) { count_->bulk_copied(run, traffic); }
  void multiplied(BlockRun& run, numerics::Element element, uint64_t operations) {
    count_->multiplied(run, element, operations);
  }

  // --- the model of time and the record of the program; null: there is none
  TimeObserver* time() const { return time_; }
  ProgramObserver* program() const { return program_; }

 private:
  template <class List, class Member, class... Arguments>
  static void each(const List& list, Member member, Arguments&&... arguments) {
    for (const auto& client : list) ((*client).*member)(arguments...);
  }

  std::vector<std::unique_ptr<ObserverClient>> clients_;
  // The interfaces that `clients_` have.
  std::vector<MemoryObserver*> memory_;
  std::vector<TransferObserver*> transfers_;
  std::vector<StreamObserver*> streams_;
  std::vector<LaunchObserver*> launches_;
  std::vector<EventObserver*> events_;
  std::vector<FaultObserver*> faults_;
  CountObserver* count_ = nullptr;
  TimeObserver* time_ = nullptr;
  ProgramObserver* program_ = nullptr;
};

}  // namespace warpwise::exec
