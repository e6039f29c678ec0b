#include "exec/services/tensor_unit.h"

#include <fmt/format.h>

#include <utility>

#include "numerics/tcgen05_copy.h"

namespace warpwise::exec {

using numerics::TensorMemory;

namespace {

// Columns that are free in both.
std::optional<uint32_t> room_for(const TensorMemory& own, const TensorMemory* peer, uint32_t columns) {
  if (!peer) return own.room_for(columns);
  for (uint32_t first = 0; first + columns <= TensorMemory::kColumns; first += TensorMemory::kUnit)
    if (own.is_free(first, columns) && peer->is_free(first, columns)) return first;
  return std::nullopt;
}

numerics::Tcgen05Operands operands_of(const uint64_t* words) {
  numerics::Tcgen05Operands o;
  o.d = static_cast<uint32_t>(words[1]), o.descriptor = static_cast<uint32_t>(words[2]);
  o.a = words[3], o.b = words[4];
  o.metadata = static_cast<uint32_t>(words[5]);
  o.scale_a = static_cast<uint32_t>(words[6]), o.scale_b = static_cast<uint32_t>(words[7]);
  o.accumulate = words[8] != 0;
  o.zero_columns = words[9];
  for (unsigned n = 0; n < 8; ++n) o.disabled_lanes[n] = static_cast<uint32_t>(words[10 + n / 2] >> (32 * (n % 2)));
  return o;
}

}  // namespace

TensorGrant allocate_columns(const TensorBlock& block, const TensorBlock* other, uint32_t columns) {
  TensorUnit& own = block.get();
  if (std::string why = numerics::check_column_count(columns); !why.empty()) return {{}, why};
  if (own.granted) return {std::exchange(own.granted, std::nullopt), ""};
  if (own.memory.permit_relinquished) return {{}, "tcgen05.alloc after tcgen05.relinquish_alloc_permit"};
  TensorUnit* peer = other ? &other->get() : nullptr;
  if (peer) own.wanted = columns;
  if (peer && peer->wanted == 0) return {};
  if (peer && peer->wanted != columns) {
    return {{},
            fmt::format("tcgen05.alloc.cta_group::2 of {} columns, while the other block of the pair asks for {}",
                        columns, peer->wanted)};
  }
  const std::optional<uint32_t> column = room_for(own.memory, peer ? &peer->memory : nullptr, columns);
  if (!column) return {};
  own.memory.allocate(*column, columns);
  if (peer) {
    peer->memory.allocate(*column, columns);
    peer->granted = column;
    own.wanted = peer->wanted = 0;
  }
  return {column, ""};
}

std::string release_columns(const TensorBlock& block, uint32_t address, uint32_t columns) {
  return block.get().memory.release(numerics::TensorAddress(address), columns);
}

uint32_t blocks_of(simt::TensorOp op, const uint64_t* words) {
  switch (op) {
    case simt::TensorOp::Multiply:
      return numerics::Tcgen05Form::unpack(words[0]).blocks;
    case simt::TensorOp::Copy:
      return static_cast<uint32_t>(words[1]);
    case simt::TensorOp::Shift:
      return static_cast<uint32_t>(words[0]);
    case simt::TensorOp::Commit:
      break;
  }
  return 1;
}

std::string run_tensor_op(const Machine& machine, simt::TensorOp op, const uint64_t* words,
                          std::span<const TensorBlock> blocks, bool plain) {
  numerics::Tcgen05Block memories[2];
  for (size_t n = 0; n < blocks.size(); ++n)
    memories[n] = {blocks[n].shared, blocks[n].shared_bytes, &blocks[n].get().memory};
  const std::span<const numerics::Tcgen05Block> all(memories, blocks.size());
  switch (op) {
    case simt::TensorOp::Multiply: {
      const unsigned capability = machine.properties->major * 10 + machine.properties->minor;
      const auto form = numerics::Tcgen05Form::unpack(words[0]);
      const auto fidelity = machine.options.approximate_mma ? numerics::Fidelity::Quick : numerics::Fidelity::Exact;
      return plain ? multiply_tcgen05(capability, form, operands_of(words), all)
                   : multiply_tcgen05_fast(capability, fidelity, form, operands_of(words), all);
    }
    case simt::TensorOp::Copy:
      return copy_to_tensor_memory(numerics::TensorCopyForm::unpack(words[0]), static_cast<uint32_t>(words[2]),
                                   words[3], all);
    case simt::TensorOp::Shift:
      return shift_tensor_memory(static_cast<uint32_t>(words[1]), all);
    case simt::TensorOp::Commit:
      break;
  }
  return "";
}

}  // namespace warpwise::exec
