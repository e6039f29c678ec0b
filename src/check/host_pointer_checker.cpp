#include "check/host_pointer_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "base/host_place.h"
#include "check/source/places.h"
#include "exec/fault/guard.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

namespace {

// A process has one handler per signal: this is its state. One checker for each device.
std::array<std::atomic<const HostPointerChecker*>, 64> checkers;

}  // namespace

// Why this may allocate, lock and write although a signal is being handled: the signal is no interruption. The
// instruction that faulted is one of the program's, or of memcpy and the like, and it holds none of the locks that
// reporting takes. It is the heap's own instruction only where the program has handed device memory to free(), which
// reads the block's header before it locks anything.
void HostPointerChecker::take_fault(uint64_t address, bool writes, uint64_t pc) {
  for (const auto& slot : checkers)
    if (const HostPointerChecker* checker = slot.load(std::memory_order_acquire))
      return checker->report(address, writes, pc);  // devices of one process share a sink
}

HostPointerChecker::~HostPointerChecker() {
  for (auto& slot : checkers) {
    const HostPointerChecker* self = this;
    if (slot.compare_exchange_strong(self, nullptr)) break;
  }
  const auto is_empty = [](const auto& slot) { return slot.load() == nullptr; };
  if (std::all_of(checkers.begin(), checkers.end(), is_empty)) exec::set_host_fault_reporter(nullptr);
}

void HostPointerChecker::begin(exec::Arena& arena) {
  arena_ = &arena;
  exec::set_host_fault_reporter(&take_fault);
  for (auto& slot : checkers) {
    const HostPointerChecker* empty = nullptr;
    if (slot.compare_exchange_strong(empty, this)) return;
  }
}

void HostPointerChecker::report(device::Address address, bool writes, uint64_t pc) const {
  MemoryPlace memory = memory_place(*arena_, address, 0, nullptr);
  const char* verb = writes ? "writes" : "reads";
  const bool inside = memory.allocated && address - memory.base < memory.size;
  Finding finding =
      make_finding("R0301", inside ? fmt::format("host code {} byte {} of {}device memory", verb, address - memory.base,
                                                 memory.freed ? "freed " : "")
                                   : fmt::format("host code {} an address of the device, in no allocation", verb));
  Party host;
  host.role = writes ? "write" : "read";
  host.detail = "the host";
  host.host = host_place_of(pc);
  if (host.host.empty()) host.host = host_place();
  finding.parties.push_back(std::move(host));
  finding.memory = std::move(memory);
  finding.notes.emplace_back("the program ended here");
  sink_.report(std::move(finding));
}

}  // namespace warpwise::check
