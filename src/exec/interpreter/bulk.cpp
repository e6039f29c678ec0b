// Bulk copies, of bytes and of boxes of tensors (PTX ISA 9.7.9.25.4, 9.7.9.27). What they move is in
// exec/async/bulk.h; when is decided here: as late as may be (async.h).
#include "exec/async/bulk.h"

#include <fmt/format.h>

#include <algorithm>

#include "exec/interpreter/cluster.h"
#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using device::Address;
using device::Failure;
using ptx::Mod;
using ptx::Operand;
using ptx::Space;
using ptx::Type;
using simt::BulkOp;
using simt::BulkType;
using simt::TensorField;

namespace {

struct OpRow {
  Mod mod;
  BulkOp op;
};
constexpr OpRow kOps[] = {{Mod::Add, BulkOp::Add}, {Mod::Min, BulkOp::Min}, {Mod::Max, BulkOp::Max},
                          {Mod::Inc, BulkOp::Inc}, {Mod::Dec, BulkOp::Dec}, {Mod::And, BulkOp::And},
                          {Mod::Or, BulkOp::Or},   {Mod::Xor, BulkOp::Xor}};

BulkOp operation(const Step& s) {
  for (OpRow row : kOps)
    if (s.has(row.mod)) return row.op;
  return BulkOp::Copy;
}

BulkType element(Type type) {
  switch (type) {
    case Type::S32:
      return BulkType::S32;
    case Type::U64:
    case Type::B64:
      return BulkType::U64;
    case Type::S64:
      return BulkType::S64;
    case Type::F16:
      return BulkType::F16;
    case Type::BF16:
      return BulkType::BF16;
    case Type::F32:
      return BulkType::F32;
    case Type::F64:
      return BulkType::F64;
    default:
      return BulkType::U32;
  }
}

void report(Block& block, BulkFault what) {
  KernelFault fault;
  fault.failure = what.failure;
  fault.what = std::move(what.what);
  fault.address = what.address;
  fault.block = block.index;
  block.fail(std::move(fault));
}

// A copy and what it completes on: an mbarrier, or the groups of the thread that waits for them.
void start(Step& s, Address mbarrier, uint32_t bytes, std::function<std::optional<BulkFault>()> copy) {
  Block& block = s.block;
  if (mbarrier == 0) {
    Copy late = [&block, copy = std::move(copy)] {
      if (auto fault = copy()) report(block, std::move(*fault));
    };
    if (block.run.now_rather_than_late())
      late();
    else
      s.thread.bulk_copies.issue(std::move(late));
    return;
  }
  block.cluster.launch({mbarrier, [&block, mbarrier, bytes, copy = std::move(copy)] {
                          if (auto fault = copy()) return report(block, std::move(*fault));
                          block.cluster.land(simt::MbarrierOp::CompleteTx, mbarrier, bytes);
                        }});
}

// Where a copy goes: its own place, or the same in each block of a mask. The pairs of target and mbarrier.
std::vector<std::pair<Address, Address>> targets(Step& s, Address to, Address mbarrier, unsigned mask_index) {
  if (!s.has(Mod::MulticastCluster)) return {{to, mbarrier}};
  std::vector<std::pair<Address, Address>> all;
  const Cluster& cluster = s.block.cluster;
  const uint32_t mask = static_cast<uint32_t>(s.bits_in(mask_index, Type::B16));
  const Block *from = cluster.owner_of_shared(to, 0), *owner = cluster.owner_of_shared(mbarrier, 0);
  if (!from) {
    s.fail(Failure::IllegalAddress, "a multicast copy to an address outside shared memory", to);
    return {};
  }
  uint32_t first_rank = 0;
  while (cluster.blocks[first_rank].get() != owner) ++first_rank;
  for (uint32_t rank = 0; rank < kMostBlocksOfMask; ++rank) {
    if (!(mask >> rank & 1)) continue;
    const uint32_t completing = completing_rank(s.has(Mod::CtaGroup2), rank, first_rank);
    if (uint32_t last = std::max(rank, completing); last >= cluster.blocks.size()) {
      s.fail(Failure::LaunchFailure,
             fmt::format("a multicast copy to rank {} of a cluster of {} blocks", last, cluster.blocks.size()), to);
      return {};
    }
    all.push_back({to - from->shared + cluster.blocks[rank]->shared,
                   mbarrier - owner->shared + cluster.blocks[completing]->shared});
  }
  return all;
}

Address shared(Step& s, unsigned index) {
  return s.generic_address(s.operand(index), Space::Shared, s.has(Mod::SharedCluster));
}

void copy(Step& s, Address to, Address from, uint32_t bytes, Address mbarrier, unsigned mask_index) {
  const Arena& arena = *s.block.run.machine.arena;
  const BulkOp op = operation(s);
  const BulkType type = element(s.type());
  for (auto [target, completes_on] : targets(s, to, mbarrier, mask_index))
    start(s, completes_on, bytes,
          [&arena, op, type, target = target, from, bytes] { return copy_bulk(arena, op, type, target, from, bytes); });
}
void copy_in(Step& s, Space from) {
  s.block.commit_stores(s.thread);
  Address mbarrier = s.mbarrier(3);
  if (mbarrier)
    copy(s, shared(s, 0), s.generic_address(s.operand(1), from, s.has(Mod::SharedCluster)), s.u32(2), mbarrier, 4);
}
void copy_out(Step& s) {
  s.block.commit_stores(s.thread);
  copy(s, s.generic_address(s.operand(0), Space::Global), shared(s, 1), s.u32(2), 0, 0);
}

device::TensorMode mode(const Step& s) {
  if (s.has(Mod::Im2col) || s.has(Mod::Im2colNoOffs)) return device::TensorMode::Im2col;
  if (s.has(Mod::Im2colW)) return device::TensorMode::Im2colW;
  return s.has(Mod::Im2colW128) ? device::TensorMode::Im2colW128 : device::TensorMode::Tiled;
}

void tensor(Step& s, bool store, unsigned map, unsigned box, Address mbarrier, unsigned mask_index) {
  const Arena& arena = *s.block.run.machine.arena;
  const std::vector<Operand>& coordinates = s.operand(map).elements[0].elements;
  TensorCopy copy;
  const bool four_rows = s.has(Mod::TileGather4) || s.has(Mod::TileScatter4);
  const unsigned count = static_cast<unsigned>(coordinates.size()), rank = four_rows ? 2 : count;
  if (auto fault = read_tensor_map(arena, s.generic_address(s.operand(map), Space::Generic), rank, mode(s), copy.map))
    return s.fail(fault->failure, std::move(fault->what), fault->address);
  int32_t numbers[device::kMaxTensorRank] = {};
  for (unsigned k = 0; k < count; ++k) numbers[k] = static_cast<int32_t>(s.bits_in(coordinates[k], Type::S32));
  if (auto fault = set_coordinates(copy, four_rows, numbers, count))
    return s.fail(fault->failure, std::move(fault->what), fault->address);
  if (device::is_im2col(copy.map.mode) && !store) {
    const std::vector<Operand>& operands = s.operand(3).elements;
    uint16_t offsets[3] = {};
    for (size_t k = 0; k < operands.size() && k < 3; ++k)
      offsets[k] = static_cast<uint16_t>(s.bits_in(operands[k], Type::U16));
    if (auto fault = set_offsets(copy, offsets)) return s.fail(fault->failure, std::move(fault->what), fault->address);
  }
  copy.store = store;
  copy.op = operation(s);
  for (auto [target, completes_on] : targets(s, shared(s, box), mbarrier, mask_index)) {
    const Block* owner = s.block.cluster.owner_of_shared(target, box_extent(copy));
    if (!owner) return s.fail(Failure::IllegalAddress, "a box that does not fit in shared memory", target);
    const uint32_t offset = static_cast<uint32_t>(target - owner->shared);
    start(s, completes_on, box_bytes(copy),
          [&arena, copy, target = target, offset] { return copy_tensor(arena, copy, target, offset); });
  }
}
void tensor_in(Step& s) {
  s.block.commit_stores(s.thread);
  Address mbarrier = s.mbarrier(2);
  if (mbarrier) tensor(s, false, 1, 0, mbarrier, device::is_im2col(mode(s)) ? 4 : 3);
}
void tensor_out(Step& s) {
  s.block.commit_stores(s.thread);
  tensor(s, true, 0, 1, 0, 0);
}

struct FieldRow {
  Mod mod;
  TensorField field;
};
constexpr FieldRow kFields[] = {{Mod::GlobalAddress, TensorField::Address},
                                {Mod::Rank, TensorField::Rank},
                                {Mod::BoxDim, TensorField::Box},
                                {Mod::GlobalDim, TensorField::Size},
                                {Mod::GlobalStride, TensorField::Stride},
                                {Mod::ElementStride, TensorField::ElementStride},
                                {Mod::ElemType, TensorField::Type},
                                {Mod::InterleaveLayout, TensorField::Interleave},
                                {Mod::SwizzleMode, TensorField::Swizzle},
                                {Mod::SwizzleAtomicity, TensorField::Atomicity},
                                {Mod::FillMode, TensorField::Fill}};

void replace(Step& s, uint32_t index, uint64_t value) {
  for (FieldRow row : kFields) {
    if (!s.has(row.mod)) continue;
    Address map = s.generic_address(s.operand(0), s.inst.space());
    if (auto fault = replace_field(*s.block.run.machine.arena, map, row.field, index, value))
      s.fail(fault->failure, fault->what, fault->address);
  }
}

}  // namespace

void run_cp_async_bulk_load(Step& s) { copy_in(s, Space::Global); }
void run_cp_async_bulk_shared(Step& s) { copy_in(s, Space::Shared); }
void run_cp_async_bulk_store(Step& s) { copy_out(s); }
void run_cp_async_bulk_store_masked(Step& s) {
  const Arena& arena = *s.block.run.machine.arena;
  const Address to = s.generic_address(s.operand(0), Space::Global),
                from = s.generic_address(s.operand(1), Space::Shared);
  const uint32_t bytes = s.u32(2);
  const auto mask = static_cast<uint16_t>(s.bits_in(4, Type::B16));
  start(s, 0, bytes, [&arena, to, from, bytes, mask] {
    return copy_bulk(arena, BulkOp::Copy, BulkType::U32, to, from, bytes, mask);
  });
}
void run_cp_reduce_async_bulk_shared_add(Step& s) { copy_in(s, Space::Shared); }
void run_cp_reduce_async_bulk_shared_min_max(Step& s) { copy_in(s, Space::Shared); }
void run_cp_reduce_async_bulk_shared_inc_dec(Step& s) { copy_in(s, Space::Shared); }
void run_cp_reduce_async_bulk_shared_logic(Step& s) { copy_in(s, Space::Shared); }
void run_cp_reduce_async_bulk_add(Step& s) { copy_out(s); }
void run_cp_reduce_async_bulk_min_max(Step& s) { copy_out(s); }
void run_cp_reduce_async_bulk_inc_dec(Step& s) { copy_out(s); }
void run_cp_reduce_async_bulk_logic(Step& s) { copy_out(s); }
void run_cp_reduce_async_bulk_half(Step& s) { copy_out(s); }
void run_cp_async_bulk_commit_group(Step& s) { s.thread.bulk_copies.commit(); }
void run_cp_async_bulk_wait_group(Step& s) { s.thread.bulk_copies.wait(s.operand(0).bits); }

void run_cp_async_bulk_tensor_load(Step& s) { tensor_in(s); }
void run_cp_async_bulk_tensor_load_im2col(Step& s) { tensor_in(s); }
void run_cp_async_bulk_tensor_load_im2col_w(Step& s) { tensor_in(s); }
void run_cp_async_bulk_tensor_gather4(Step& s) { tensor_in(s); }
void run_cp_async_bulk_tensor_scatter4(Step& s) { tensor_out(s); }
void run_cp_async_bulk_tensor_store(Step& s) { tensor_out(s); }
void run_cp_async_bulk_tensor_store_im2col(Step& s) { tensor_out(s); }
void run_cp_reduce_async_bulk_tensor(Step& s) { tensor_out(s); }
void run_cp_reduce_async_bulk_tensor_im2col(Step& s) { tensor_out(s); }

// Hints about caches change no result.
void run_cp_async_bulk_prefetch(Step&) {}
void run_cp_async_bulk_prefetch_tensor(Step&) {}
void run_cp_async_bulk_prefetch_tensor_gather4(Step&) {}
void run_cp_async_bulk_prefetch_tensor_im2col(Step&) {}
void run_cp_async_bulk_prefetch_tensor_im2col_w(Step&) {}
void run_prefetch_tensormap(Step&) {}

namespace {

void replace_whole(Step& s) { replace(s, 0, static_cast<uint64_t>(s.bits_in(1, s.type()))); }
void replace_dimension(Step& s) {
  replace(s, static_cast<uint32_t>(s.operand(1).bits), static_cast<uint64_t>(s.bits_in(2, s.type())));
}

}  // namespace

void run_tensormap_replace_address(Step& s) { replace_whole(s); }
void run_tensormap_replace_rank(Step& s) { replace_whole(s); }
void run_tensormap_replace_size(Step& s) { replace_dimension(s); }
void run_tensormap_replace_stride(Step& s) { replace_dimension(s); }
void run_tensormap_replace_atomicity(Step& s) { replace(s, 0, s.operand(1).bits); }
void run_tensormap_replace_mode(Step& s) { replace(s, 0, s.operand(1).bits); }

void run_tensormap_cp_fenceproxy(Step& s) {
  auto fault =
      copy_bulk(*s.block.run.machine.arena, BulkOp::Copy, BulkType::U32, s.generic_address(s.operand(0), Space::Global),
                s.generic_address(s.operand(1), Space::Shared), simt::kTensorMapBytes);
  if (fault) s.fail(fault->failure, fault->what, fault->address);
}

}  // namespace warpwise::exec::interpreter
