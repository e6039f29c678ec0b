// Loads and stores (PTX ISA 9.7.9.8 to 9.7.9.18). Threads take turns between instructions, so every access
// is as strong as any .sem or .scope can ask for. A vector access is checked as one, aligned to its whole
// size (6.4.1).
#include <cstring>

#include "exec/interpreter/cluster.h"
#include "exec/interpreter/dispatch.h"
#include "ptx/vector_operand.h"

namespace warpwise::exec::interpreter {

using ptx::Space;
using ptx::Type;

namespace {

void load(Step& s, Space space) {
  Type type = s.type();
  unsigned count = element_count(s.operand(0)), bytes = ptx::bytes_of(type);
  const std::byte* from = s.memory(1, space, bytes * count);
  if (!from) return;
  for (unsigned k = 0; k < count; ++k) {
    Bits value = 0;
    std::memcpy(&value, from + k * bytes, bytes);
    s.out(element(s.operand(0), k), value, type, true);
  }
}

void store(Step& s, Space space, bool is_plain) {
  Type type = s.type();
  unsigned count = element_count(s.operand(1)), bytes = ptx::bytes_of(type);
  std::byte* to = s.memory(0, space, bytes * count);
  if (!to) return;
  for (unsigned k = 0; k < count; ++k) {
    Bits value = s.bits_in(element(s.operand(1), k), type);
    if (is_plain)
      s.block.store(s.thread, to + k * bytes, &value, bytes);
    else
      std::memcpy(to + k * bytes, &value, bytes);
  }
}

// Other threads may wait for it: what the thread has stored before is visible as well.
void store_strongly(Step& s) {
  s.block.commit_stores(s.thread);
  store(s, s.inst.space(), /*is_plain=*/false);
}

// Memory of the thread's own is not deferred.
bool is_shared_by_threads(Space space) { return space != Space::Local && space != Space::Param; }

}  // namespace

void run_ld(Step& s) { load(s, s.inst.space()); }
void run_ld_volatile(Step& s) {
  s.thread.polls = true;
  load(s, s.inst.space());
}
void run_ld_mmio(Step& s) {
  s.thread.polls = true;
  load(s, s.inst.space());
}
void run_ld_sem(Step& s) {
  s.thread.polls = true;
  load(s, s.inst.space());
}
void run_ld_nc(Step& s) { load(s, Space::Global); }
void run_ldu(Step& s) { load(s, s.inst.space()); }
void run_ld_const(Step& s) { load(s, Space::Const); }
void run_ld_param(Step& s) { load(s, Space::Param); }

void run_st(Step& s) { store(s, s.inst.space(), is_shared_by_threads(s.inst.space())); }
void run_st_volatile(Step& s) { store_strongly(s); }
void run_st_mmio(Step& s) { store_strongly(s); }
void run_st_sem(Step& s) { store_strongly(s); }
// Zeros, eight bytes at a time, in shared memory.
void run_st_bulk(Step& s) {
  const uint64_t size = static_cast<uint64_t>(s.bits_in(1, Type::B64));
  ptx::Operand address = s.operand(0);
  for (uint64_t at = 0; at < size; at += 8, address.offset += 8) {
    std::byte* to = s.memory(address, s.inst.space(), 8);
    if (!to) return;
    constexpr uint64_t kZero = 0;
    s.block.store(s.thread, to, &kZero, sizeof kZero);
  }
}

// The bytes land later, and so does their completion on the mbarrier.
void run_st_async(Step& s) {
  Type type = s.type();
  unsigned count = element_count(s.operand(1)), bytes = ptx::bytes_of(type);
  device::Address mbarrier = s.mbarrier(2);
  std::byte* to = s.memory(0, s.inst.space(), bytes * count);
  if (!to || mbarrier == 0) return;
  std::vector<std::byte> values(bytes * count);
  for (unsigned k = 0; k < count; ++k) {
    Bits value = s.bits_in(element(s.operand(1), k), type);
    std::memcpy(values.data() + k * bytes, &value, bytes);
  }
  Cluster& cluster = s.block.cluster;
  cluster.launch({mbarrier, [&cluster, mbarrier, to, values] {
                    std::memcpy(to, values.data(), values.size());
                    cluster.land(simt::MbarrierOp::CompleteTx, mbarrier, static_cast<uint32_t>(values.size()));
                  }});
}
// To global memory: no mbarrier is involved.
void run_st_async_global(Step& s) { store_strongly(s); }
void run_st_param(Step& s) { store(s, Space::Param, /*is_plain=*/false); }

// Hints about caches change no result.
void run_prefetch(Step&) {}
void run_prefetch_evict(Step&) {}
void run_prefetchu(Step&) {}
void run_applypriority(Step&) {}
void run_discard(Step&) {}

}  // namespace warpwise::exec::interpreter
