// What the program has said of its own memory (device/memory_annotation.h), and what kernels may not touch because of
// it.
//
//     pool  ├─────────────┤ suballocation ├──────────────────────┤
//            no memory       as allocated        no memory
//
// What of a pool is in no suballocation is painted as no memory in the shadow and stays so whatever the host
// copies or fills there, so compiled code asks as it does about the margin behind an allocation. Memory with
// permissions is painted so while a kernel runs, and every access to it is judged here, with the shadow that it had;
// that is slow, and for memory that is suspect.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/finding.h"
#include "check/memory/shadow_memory.h"
#include "device/memory_annotation.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

class AnnotatedMemory {
 public:
  explicit AnnotatedMemory(ShadowMemory& shadow) : shadow_(shadow) {}

  // What makes no sense (a permission for memory that is not there) is not checked, and `sink` is informed.
  void take(const device::MemoryAnnotation& annotation, const HostPlace& host, const exec::Arena& arena,
            FindingSink& sink);
  // An allocation is freed: nothing said of it counts any more.
  void freed(device::Address base, size_t bytes);

  // The host has written there, or copied from `from`: what was closed to kernels still is, and says nothing about what
  // was copied from it.
  void written(device::Address to, size_t bytes);
  void copied(device::Address to, device::Address from, size_t bytes);

  // Around a launch. True: the shadow of memory has changed.
  bool close_restricted();
  bool open_restricted();

  // The rule that an access to memory with permissions breaks, "" when none; nothing where there are no permissions.
  std::optional<std::string> rule_of(device::Address address, uint64_t bytes, simt::AccessKind kind, bool reads);
  // "reads and writes": what kernels may do there.
  std::string allowed_at(device::Address address) const;

  // Makes the place that of the suballocation, or else of the pool, that the address is in or nearest to; others stay
  // as they are.
  void find_suballocation(MemoryPlace& place) const;

 private:
  struct Suballocation {
    size_t bytes = 0;
    bool ended = false;
    HostPlace at, ended_at;
  };
  struct Pool {
    size_t bytes = 0;
    bool ended = false;
    HostPlace at, ended_at;
    std::map<device::Address, Suballocation> suballocations;  // and those that have ended where no later one is
    bool contains(device::Address base, device::Address address) const {
      return address >= base && address - base < bytes;
    }
  };
  struct Restricted {
    size_t bytes = 0;
    std::optional<uint8_t> allowed[2];  // by scope
    std::vector<uint8_t> shadow;        // while a kernel runs
    bool any() const { return allowed[0] || allowed[1]; }
    uint8_t now() const { return allowed[1] ? *allowed[1] : *allowed[0]; }
  };
  using Pools = std::map<device::Address, Pool>;

  Pools::iterator pool_around(device::Address address);
  Pools::const_iterator pool_around(device::Address address) const;
  void begin_suballocation(Pool& pool, device::Address base, size_t bytes, const HostPlace& host);
  void resize(Pool& pool, device::Address base, size_t bytes);
  void end_suballocation(Suballocation& suballocation, device::Address base, const HostPlace& host);
  void permit(const device::MemoryAnnotation& annotation, const exec::Arena& arena, FindingSink& sink);

  ShadowMemory& shadow_;
  mutable std::mutex mutex_;
  Pools pools_;
  std::map<device::Address, Restricted> restricted_;
  std::map<device::Address, std::string> names_;
};

}  // namespace warpwise::check
