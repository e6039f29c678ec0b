// tcgen05 (PTX ISA 9.0, 9.7.16): tensor memory and its products, by the plain forms of numerics/tcgen05.h. Loads,
// stores and allocations are warp collectives. Products, copies and shifts happen as late as they may (async.h): when
// a commit's mbarrier is waited for, in the order of their issue.
#include "ptx/shapes/tcgen05.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

#include "exec/interpreter/cluster.h"
#include "exec/interpreter/dispatch.h"
#include "exec/memory/arena.h"

namespace warpwise::exec::interpreter {

using device::Failure;
using ptx::Mod;
using ptx::Operand;
using ptx::Type;
using simt::TensorOp;

namespace {

TensorBlock tensor_block(Block& block) {
  return {&block.tensor, block.shared ? engine_view(block.shared) : nullptr, block.shared_bytes};
}

uint32_t rank_in_cluster(const Block& block) {
  uint32_t rank = 0;
  while (block.cluster.blocks[rank].get() != &block) ++rank;
  return rank;
}

// The other block of the pair (9.7.16.5.1), or null after a fault.
Block* peer_of(Step& s) {
  const uint32_t rank = rank_in_cluster(s.block), size = static_cast<uint32_t>(s.block.cluster.blocks.size());
  if ((rank ^ 1) < size) return s.block.cluster.blocks[rank ^ 1].get();
  s.fail(Failure::LaunchFailure,
         fmt::format("`.cta_group::2` in block {} of a cluster of {}: the other block of its pair is not there", rank,
                     size));
  return nullptr;
}

// [taddr + 16]: a register and a constant.
uint32_t tensor_address(Step& s, const Operand& address) {
  Operand base;
  base.kind = Operand::Kind::Register;
  base.reg = address.reg;
  base.component = address.component;
  return static_cast<uint32_t>(s.bits_in(base, Type::U32)) + static_cast<uint32_t>(address.offset);
}

bool converge(Step& s) {
  if (s.block.converge(s.thread, {.kind = Collective::Kind::TensorMemory, .members = ~0u})) return true;
  s.stay();
  return false;
}

// --- columns --------------------------------------------------------------------------------------------
//
// The warp comes together, its first thread does what is to be done, perhaps after a wait, and they come together
// again.

enum Phase : uint8_t { kComing, kDoing, kDone };

template <class Do>
void once_for_warp(Step& s, Do body) {
  uint8_t& phase = s.thread.columns_phase;
  if (phase == kComing) {
    if (!converge(s)) return;
    phase = kDoing;
    if (s.thread.lane() != static_cast<uint32_t>(std::countr_zero(s.thread.outcome.present))) phase = kDone;
  }
  if (phase == kDoing) {
    if (!body()) {
      s.thread.state = Thread::State::Columns;
      return s.stay();
    }
    phase = kDone;
  }
  if (s.block.fault || !converge(s)) return;
  phase = kComing;
}

// --- loads and stores -----------------------------------------------------------------------------------

void move(Step& s) {
  if (!converge(s)) return;
  const numerics::TensorMove move = ptx::tensor_move(s.inst);
  const ptx::TensorMoveOperands o = ptx::tensor_move_operands(s.inst);
  const std::vector<Operand>& registers = o.registers->elements;
  std::vector<uint32_t> words(registers.size());
  if (move.store)
    for (size_t r = 0; r < words.size(); ++r) words[r] = static_cast<uint32_t>(s.bits_in(registers[r], Type::B32));
  const uint32_t second = o.split ? static_cast<uint32_t>(o.split->bits) : 0;
  std::string problem = numerics::move_tensor(move, tensor_block(s.block).get().memory, s.thread.warp(),
                                              s.thread.lane(), tensor_address(s, *o.address), second, words.data());
  if (!problem.empty()) return s.fail(Failure::LaunchFailure, std::move(problem));
  if (move.store) return;
  for (size_t r = 0; r < words.size(); ++r) s.out(registers[r], words[r], Type::B32);
}

// --- what the tensor cores do by themselves ----------------------------------------------------------------

void issue(Step& s, TensorOp op, std::array<uint64_t, simt::kMostTensorWords> words) {
  Block& own = s.block;
  Block* peer = nullptr;
  if (blocks_of(op, words.data()) == 2 && !(peer = peer_of(s))) return;
  const uint32_t function = s.frame().function, instruction = s.frame().pc, thread = s.thread.index;
  auto run = [&own, peer, op, words, function, instruction, thread] {
    TensorBlock blocks[2] = {tensor_block(own), {}};
    if (peer) blocks[1] = tensor_block(*peer);
    if (peer && rank_in_cluster(own) % 2 == 1) std::swap(blocks[0], blocks[1]);
    std::string problem = run_tensor_op(own.run.machine, op, words.data(), {blocks, peer ? 2u : 1u}, true);
    if (problem.empty()) return;
    KernelFault fault;
    fault.failure = Failure::LaunchFailure;
    fault.what = std::move(problem);
    fault.block = own.index;
    fault.thread = thread;
    fault.function = function;
    fault.instruction = instruction;
    own.fail(std::move(fault));
  };
  TensorQueue& queue = own.cluster.tensor_queue;
  queue.issue(std::move(run));
  if (own.run.now_rather_than_late()) queue.run_up_to(queue.ticket());
}

void multiply(Step& s) {
  const numerics::Tcgen05Form form = ptx::tcgen05_form(s.inst);
  const ptx::Tcgen05ProductOperands o = ptx::tcgen05_product_operands(s.inst);
  auto address = [&](const Operand* operand) -> uint64_t { return operand ? tensor_address(s, *operand) : 0; };
  auto bits = [&](const Operand* operand, Type type) {
    return operand ? static_cast<uint64_t>(s.bits_in(*operand, type)) : 0;
  };
  std::array<uint64_t, simt::kMostTensorWords> words{form.pack(),
                                                     address(o.d),
                                                     bits(o.descriptor, Type::B32),
                                                     form.a_in_tensor_memory ? address(o.a) : bits(o.a, Type::B64),
                                                     bits(o.b, Type::B64),
                                                     address(o.metadata),
                                                     address(o.scale_a),
                                                     address(o.scale_b),
                                                     bits(o.accumulate, Type::Pred),
                                                     bits(o.zero_columns, Type::B64)};
  if (o.disabled_lanes)
    for (size_t n = 0; n < o.disabled_lanes->elements.size(); ++n)
      words[10 + n / 2] |= bits(&o.disabled_lanes->elements[n], Type::B32) << (32 * (n % 2));
  issue(s, TensorOp::Multiply, words);
}

}  // namespace

void run_tcgen05_alloc(Step& s) {
  once_for_warp(s, [&] {
    std::optional<TensorBlock> peer;
    if (ptx::tcgen05_blocks(s.inst) == 2) {
      Block* other = peer_of(s);
      if (!other) return true;
      peer = tensor_block(*other);
    }
    TensorGrant grant = allocate_columns(tensor_block(s.block), peer ? &*peer : nullptr, s.u32(1));
    if (!grant.error.empty()) return s.fail(Failure::LaunchFailure, std::move(grant.error)), true;
    if (!grant.address) return false;
    const device::Address to = s.generic_address(s.operand(0), s.inst.space());
    if (!s.block.cluster.owner_of_shared(to, sizeof(uint32_t)))
      return s.fail(Failure::IllegalAddress, "tcgen05.alloc stores the address outside shared memory", to), true;
    std::memcpy(engine_view(to), &*grant.address, sizeof(uint32_t));
    if (peer) s.block.cluster.columns_changed();
    return true;
  });
}

void run_tcgen05_dealloc(Step& s) {
  once_for_warp(s, [&] {
    std::string problem = release_columns(tensor_block(s.block), s.u32(0), s.u32(1));
    if (!problem.empty()) s.fail(Failure::LaunchFailure, std::move(problem));
    s.block.cluster.columns_changed();
    return true;
  });
}

void run_tcgen05_relinquish(Step& s) {
  once_for_warp(s, [&] { return tensor_block(s.block).get().memory.permit_relinquished = true; });
}

void run_tcgen05_ld(Step& s) { move(s); }
void run_tcgen05_ld_halves(Step& s) { move(s); }
void run_tcgen05_st(Step& s) { move(s); }
void run_tcgen05_st_halves(Step& s) { move(s); }
void run_tcgen05_wait_ld(Step& s) { converge(s); }
void run_tcgen05_wait_st(Step& s) { converge(s); }

void run_tcgen05_cp(Step& s) {
  issue(s, TensorOp::Copy,
        {ptx::tensor_copy_form(s.inst).pack(), ptx::tcgen05_blocks(s.inst), tensor_address(s, s.operand(0)),
         static_cast<uint64_t>(s.bits_in(1, Type::B64))});
}
void run_tcgen05_shift(Step& s) {
  issue(s, TensorOp::Shift, {ptx::tcgen05_blocks(s.inst), tensor_address(s, s.operand(0))});
}

void run_tcgen05_mma(Step& s) { multiply(s); }
void run_tcgen05_mma_scaled(Step& s) { multiply(s); }
void run_tcgen05_mma_sparse(Step& s) { multiply(s); }
void run_tcgen05_mma_sparse_scaled(Step& s) { multiply(s); }
void run_tcgen05_mma_ws(Step& s) { multiply(s); }
void run_tcgen05_mma_ws_sparse(Step& s) { multiply(s); }

// One arrival when everything that was issued before has happened: at the mbarrier, or at the same place in each block
// of a mask.
void run_tcgen05_commit(Step& s) {
  const device::Address at = s.mbarrier(0);
  if (at == 0) return;
  Cluster& cluster = s.block.cluster;
  const uint32_t ranks = s.has(Mod::MulticastCluster) ? static_cast<uint32_t>(s.bits_in(1, Type::B16)) : 0;
  const Block* owner = cluster.owner_of_shared(at, sizeof(uint64_t));
  const uint64_t ticket = cluster.tensor_queue.ticket();
  auto launch = [&](device::Address mbarrier) {
    cluster.launch({mbarrier, [&cluster, mbarrier, ticket] {
                      cluster.tensor_queue.run_up_to(ticket);
                      cluster.land(simt::MbarrierOp::Arrive, mbarrier, 1);
                    }});
  };
  if (ranks == 0) return launch(at);
  for (uint32_t left = ranks; left != 0; left &= left - 1) {
    const uint32_t rank = static_cast<uint32_t>(std::countr_zero(left));
    if (rank >= cluster.blocks.size())
      return s.fail(Failure::LaunchFailure,
                    fmt::format("tcgen05.commit to rank {} of a cluster of {} blocks", rank, cluster.blocks.size()));
    launch(at - owner->shared + cluster.blocks[rank]->shared);
  }
}
void run_tcgen05_fence_before(Step&) {}
void run_tcgen05_fence_after(Step&) {}

}  // namespace warpwise::exec::interpreter
