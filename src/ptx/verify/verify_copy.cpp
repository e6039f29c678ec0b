#include "ptx/verify/verify_copy.h"

#include <fmt/format.h>

namespace warpwise::ptx {
namespace {

bool is_tensor_copy(Op op) {
  switch (op) {
    case Op::cp_async_bulk_tensor_load:
    case Op::cp_async_bulk_tensor_load_im2col:
    case Op::cp_async_bulk_tensor_load_im2col_w:
    case Op::cp_async_bulk_tensor_store:
    case Op::cp_async_bulk_tensor_store_im2col:
    case Op::cp_reduce_async_bulk_tensor:
    case Op::cp_reduce_async_bulk_tensor_im2col:
    case Op::cp_async_bulk_prefetch_tensor:
    case Op::cp_async_bulk_prefetch_tensor_im2col:
    case Op::cp_async_bulk_prefetch_tensor_im2col_w:
    case Op::cp_async_bulk_tensor_gather4:
    case Op::cp_async_bulk_tensor_scatter4:
    case Op::cp_async_bulk_prefetch_tensor_gather4:
      return true;
    default:
      return false;
  }
}

// Copies into several blocks name .shared::cluster as their target.
bool check_multicast(OperandContext& context, const Instruction& i) {
  int to = i.spec().slot("to");
  if (!i.has(Mod::MulticastCluster) || to < 0 || i.mods[to] != Mod::SharedCta) return true;
  context.error("P0203", i.span, "`.multicast::cluster` requires `.shared::cluster`");
  return false;
}

// The position of the im2col offsets; -1: there are none.
int offsets_operand(Op op) {
  switch (op) {
    case Op::cp_async_bulk_tensor_load_im2col:
    case Op::cp_async_bulk_tensor_load_im2col_w:
      return 3;
    case Op::cp_async_bulk_prefetch_tensor_im2col:
    case Op::cp_async_bulk_prefetch_tensor_im2col_w:
      return 1;
    default:
      return -1;
  }
}

// 9.7.9.27: [map, {a coordinate for each dimension}], and offsets for all dimensions but channels and images or, in
// the wide modes of im2col, {wHalo, wOffset}.
bool check_tensor_copy(OperandContext& context, const Instruction& i) {
  unsigned rank = 1;
  for (Mod dim : {Mod::Geom1d, Mod::Geom2d, Mod::Geom3d, Mod::Geom4d, Mod::Geom5d}) {
    if (i.has(dim)) break;
    ++rank;
  }
  if (i.has(Mod::TileGather4) || i.has(Mod::TileScatter4)) rank = 5;  // a column and four rows
  auto numbers = [&](const Operand& list, size_t count, Type type) {
    if (!list.is(Operand::Kind::Vector) || list.elements.size() != count) return false;
    for (const Operand& n : list.elements)
      if ((!n.is(Operand::Kind::Register) && !n.is(Operand::Kind::Immediate)) ||
          !verify_type(context, i, n, type, false))
        return false;
    return true;
  };
  for (const Operand& operand : i.operands) {
    if (!operand.is(Operand::Kind::Address) || operand.elements.empty()) continue;
    if (operand.elements.size() == 1 && numbers(operand.elements[0], rank, Type::S32)) {
      const int offsets = offsets_operand(i.op);
      const bool wide = i.has(Mod::Im2colW) || i.has(Mod::Im2colW128);
      if (offsets < 0 || numbers(i.operands[offsets], wide ? 2 : rank - 2, Type::U16)) return true;
      context.error("P0205", i.operands[offsets].span,
                    wide ? "a halo and an offset are required: {wHalo, wOffset}"
                         : fmt::format("an offset is required for each of {} dimensions: {{…}}", rank - 2));
      return false;
    }
  }
  context.error("P0205", i.span,
                fmt::format("`{}` needs [map, {{{} coordinate{}}}]", opcode_text(i), rank, rank == 1 ? "" : "s"));
  return false;
}

// Other stores accept a wider register for a byte.
bool check_byte_register(OperandContext& context, const Instruction& i) {
  const Operand& o = i.operands[1];
  if (bytes_of(i.type()) != 1 || !o.is(Operand::Kind::Register) ||
      bytes_of(context.function.registers[o.reg].type) == 1)
    return true;
  context.error("P0206", o.span, fmt::format("`{}` needs a register of 8 bits", opcode_text(i)));
  return false;
}

bool check_st_async(OperandContext& context, const Instruction& i) {
  if (i.has(Mod::MbarrierCompleteTxBytes)) return true;
  context.error("P0203", i.span, "`st.async` signals an mbarrier").help =
      "write st.async.shared::cluster.mbarrier::complete_tx::bytes";
  return false;
}

// 9.7.9.13
bool check_st_bulk(OperandContext& context, const Instruction& i) {
  const Operand &size = i.operands[1], &value = i.operands[2];
  if (value.bits != 0)
    context.error("P0205", value.span, "`st.bulk` stores zeros: the value must be 0");
  else if (size.is(Operand::Kind::Immediate) && size.bits % 8 != 0)
    context.error("P0205", size.span, "the size must be a multiple of 8");
  else
    return true;
  return false;
}

// 9.7.9.25.3.1: 4, 8 or 16 bytes, past the first level (.cg) only 16; a size to read, or a predicate that says
// "nothing".
bool check_cp_async(OperandContext& context, const Instruction& i) {
  const Operand &size = i.operands[2], &source = i.operands[3];
  if (size.bits != 16 && (i.has(Mod::Cg) || (size.bits != 4 && size.bits != 8))) {
    context.error("P0205", size.span, i.has(Mod::Cg) ? "`.cg` copies 16 bytes" : "the size is 4, 8 or 16");
    return false;
  }
  if (source.is(Operand::Kind::None)) return true;
  if (!source.is(Operand::Kind::Register) && !source.is(Operand::Kind::Immediate)) {
    context.error("P0205", source.span, "`cp.async` needs a register or constant as `source`");
    return false;
  }
  bool ignore = source.is(Operand::Kind::Register) && context.function.registers[source.reg].type == Type::Pred;
  if (source.is(Operand::Kind::Immediate) && source.bits > size.bits) {
    context.error("P0205", source.span, fmt::format("{} bytes cannot be read into {}", source.bits, size.bits));
    return false;
  }
  return verify_type(context, i, source, ignore ? Type::Pred : Type::U32, false);
}

}  // namespace

bool is_asynchronous_copy(Op op) {
  switch (op) {
    case Op::cp_async:
    case Op::cp_async_bulk_load:
    case Op::st_async:
    case Op::st_async_global:
    case Op::st_bulk:
      return true;
    default:
      return is_tensor_copy(op);
  }
}

bool verify_copy(OperandContext& context, const Instruction& i) {
  switch (i.op) {
    case Op::cp_async:
      return check_cp_async(context, i);
    case Op::cp_async_bulk_load:
      return check_multicast(context, i);
    case Op::st_async:
      return check_st_async(context, i);
    case Op::st_async_global:
      return check_byte_register(context, i);
    case Op::st_bulk:
      return check_st_bulk(context, i);
    default:
      return check_multicast(context, i) && check_tensor_copy(context, i);
  }
}

}  // namespace warpwise::ptx
