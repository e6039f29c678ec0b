#include "ptx/shapes/tcgen05.h"

#include <fmt/format.h>

#include <iterator>

namespace warpwise::ptx {

using numerics::CopyFormat;
using numerics::CopyShape;
using numerics::MoveShape;
using numerics::Tcgen05Kind;

namespace {

struct KindRow {
  Mod mod;
  Tcgen05Kind kind;
};
constexpr KindRow kKinds[] = {{Mod::KindF16, Tcgen05Kind::F16},           {Mod::KindTf32, Tcgen05Kind::Tf32},
                              {Mod::KindF8F6F4, Tcgen05Kind::F8F6F4},     {Mod::KindI8, Tcgen05Kind::I8},
                              {Mod::KindMxF8F6F4, Tcgen05Kind::MxF8F6F4}, {Mod::KindMxF4, Tcgen05Kind::MxF4},
                              {Mod::KindMxF4NvF4, Tcgen05Kind::MxF4NvF4}};

constexpr Mod kRepeats[] = {Mod::X1, Mod::X2, Mod::X4, Mod::X8, Mod::X16, Mod::X32, Mod::X64, Mod::X128};

bool is_sparse(Op op) {
  return op == Op::tcgen05_mma_sparse || op == Op::tcgen05_mma_sparse_scaled || op == Op::tcgen05_mma_ws_sparse;
}
bool is_weight_stationary(Op op) { return op == Op::tcgen05_mma_ws || op == Op::tcgen05_mma_ws_sparse; }
bool is_scaled(Op op) { return op == Op::tcgen05_mma_scaled || op == Op::tcgen05_mma_sparse_scaled; }
bool is_move(Op op) {
  return op == Op::tcgen05_ld || op == Op::tcgen05_ld_halves || op == Op::tcgen05_st || op == Op::tcgen05_st_halves;
}

const Operand* given(const Instruction& i, size_t index) {
  return index < i.operands.size() && !i.operands[index].is(Operand::Kind::None) ? &i.operands[index] : nullptr;
}

// .scale_vec, or its alias by block size; 0: not allowed for the kind (tables 56 and 57).
uint8_t scales_of(const Instruction& i, Tcgen05Kind kind) {
  const bool is_8_bits = kind == Tcgen05Kind::MxF8F6F4, nv = kind == Tcgen05Kind::MxF4NvF4;
  if (i.has(Mod::ScaleVec1X)) return is_8_bits ? 1 : 0;
  if (i.has(Mod::ScaleVec2X)) return is_8_bits ? 0 : 2;
  if (i.has(Mod::ScaleVec4X) || i.has(Mod::Block16)) return nv ? 4 : 0;
  if (i.has(Mod::Block32)) return is_8_bits ? 1 : 2;
  return is_8_bits ? 1 : nv ? 0 : 2;
}

}  // namespace

bool is_tcgen05(Op op) { return spec_of(op).opcode == "tcgen05"; }
bool is_tcgen05_product(Op op) {
  return op == Op::tcgen05_mma || is_sparse(op) || is_weight_stationary(op) || is_scaled(op);
}

bool works_for_pairs(const Module& module) {
  if (module.sm < 100) return false;
  for (const Function& f : module.functions)
    for (const Instruction& i : f.instructions)
      if (i.has(Mod::CtaGroup2)) return true;
  return false;
}

unsigned tcgen05_blocks(const Instruction& i) { return i.has(Mod::CtaGroup2) ? 2 : 1; }

numerics::TensorMove tensor_move(const Instruction& i) {
  numerics::TensorMove move;
  move.store = i.op == Op::tcgen05_st || i.op == Op::tcgen05_st_halves;
  move.halves = i.has(Mod::Pack16b) || i.has(Mod::Unpack16b);
  move.shape = i.has(Mod::Shape32x32b)    ? MoveShape::S32x32b
               : i.has(Mod::Shape16x64b)  ? MoveShape::S16x64b
               : i.has(Mod::Shape16x128b) ? MoveShape::S16x128b
               : i.has(Mod::Shape16x256b) ? MoveShape::S16x256b
                                          : MoveShape::S16x32bx2;
  for (unsigned n = 0; n < std::size(kRepeats); ++n)
    if (i.has(kRepeats[n])) move.repeats = static_cast<uint8_t>(1u << n);
  return move;
}

TensorMoveOperands tensor_move_operands(const Instruction& i) {
  switch (i.op) {
    case Op::tcgen05_ld:
      return {&i.operands[1], &i.operands[0], nullptr};
    case Op::tcgen05_ld_halves:
      return {&i.operands[1], &i.operands[0], &i.operands[2]};
    case Op::tcgen05_st:
      return {&i.operands[0], &i.operands[1], nullptr};
    default:
      return {&i.operands[0], &i.operands[2], &i.operands[1]};
  }
}

numerics::TensorCopyForm tensor_copy_form(const Instruction& i) {
  numerics::TensorCopyForm form;
  form.shape = i.has(Mod::Shape128x256b)   ? CopyShape::S128x256b
               : i.has(Mod::Shape4x256b)   ? CopyShape::S4x256b
               : i.has(Mod::Shape128x128b) ? CopyShape::S128x128b
               : i.has(Mod::Shape32x128b)  ? CopyShape::S32x128b
               : i.has(Mod::WarpX2Fwd0213) ? CopyShape::S64x128b_02_13
                                           : CopyShape::S64x128b_01_23;
  form.format = i.has(Mod::B6x16P32)   ? CopyFormat::From6Bits
                : i.has(Mod::B4x16P64) ? CopyFormat::From4Bits
                                       : CopyFormat::Same;
  return form;
}

numerics::Tcgen05Form tcgen05_form(const Instruction& i) {
  numerics::Tcgen05Form form;
  for (KindRow row : kKinds)
    if (i.has(row.mod)) form.kind = row.kind;
  form.blocks = static_cast<uint8_t>(tcgen05_blocks(i));
  form.weight_stationary = is_weight_stationary(i.op);
  form.sparse = is_sparse(i.op);
  form.a_in_tensor_memory = i.operands[1].is(Operand::Kind::Address);
  form.shifts_a = i.has(Mod::AShift);
  form.scales = is_scaled(i.op) ? scales_of(i, form.kind) : 0;
  if (const Operand* scale = tcgen05_product_operands(i).scale_input)
    form.scale_input = static_cast<uint8_t>(scale->bits);
  return form;
}

Tcgen05ProductOperands tcgen05_product_operands(const Instruction& i) {
  Tcgen05ProductOperands o{};
  size_t next = 0;
  o.d = given(i, next++), o.a = given(i, next++), o.b = given(i, next++);
  if (is_sparse(i.op)) o.metadata = given(i, next++);
  o.descriptor = given(i, next++);
  if (is_scaled(i.op)) o.scale_a = given(i, next++), o.scale_b = given(i, next++);
  if (const Operand* lanes = given(i, next); lanes && lanes->is(Operand::Kind::Vector))
    o.disabled_lanes = lanes, ++next;
  o.accumulate = given(i, next++);
  if (is_weight_stationary(i.op))
    o.zero_columns = given(i, next++);
  else
    o.scale_input = given(i, next++);
  return o;
}

namespace {

class Checker {
 public:
  Checker(const Instruction& i, const Function& function) : i_(i), function_(function) {}

  std::string check() const {
    for (const Operand& o : i_.operands)
      if (std::string why = check_address(o); !why.empty()) return why;
    if (is_move(i_.op)) return check_move();
    if (i_.op == Op::tcgen05_cp) return check_copy();
    if (is_tcgen05_product(i_.op)) return check_product();
    return "";
  }

 private:
  bool is_register(const Operand& o, unsigned bits) const {
    return o.is(Operand::Kind::Register) && !o.negated && function_.registers[o.reg].type != Type::Pred &&
           bits_of(function_.registers[o.reg].type) == bits;
  }
  bool is_list(const Operand& o, size_t count) const {
    if (!o.is(Operand::Kind::Vector) || o.elements.size() != count) return false;
    for (const Operand& e : o.elements)
      if (!is_register(e, 32)) return false;
    return true;
  }

  // Tensor memory has no variables: its addresses are registers of 32 bits. (The other address operands name shared
  // memory.)
  std::string check_address(const Operand& o) const {
    if (!o.is(Operand::Kind::Address) || i_.op == Op::tcgen05_alloc || i_.op == Op::tcgen05_commit) return "";
    if (o.base == Operand::Base::Register && bits_of(function_.registers[o.reg].type) == 32) return "";
    return "an address in tensor memory is a register of 32 bits";
  }

  std::string check_move() const {
    const numerics::TensorMove move = tensor_move(i_);
    constexpr unsigned kMost = 128;
    if (move.registers() > kMost)
      return fmt::format("`.x{}` of this shape would be {} registers; {} are the most", move.repeats, move.registers(),
                         kMost);
    if (!is_list(*tensor_move_operands(i_).registers, move.registers()))
      return fmt::format("`r` is {} registers of 32 bits in braces", move.registers());
    return "";
  }

  std::string check_copy() const {
    const bool pairs = i_.has(Mod::WarpX2Fwd0213) || i_.has(Mod::WarpX2Fwd0123), all = i_.has(Mod::WarpX4);
    if (pairs != i_.has(Mod::Shape64x128b)) return "`.warpx2` and `.64x128b` require each other";
    if (all != i_.has(Mod::Shape32x128b)) return "`.warpx4` and `.32x128b` require each other";
    return "";
  }

  std::string check_product() const {
    const numerics::Tcgen05Form form = tcgen05_form(i_);
    const Tcgen05ProductOperands o = tcgen05_product_operands(i_);
    if (is_scaled(i_.op) && form.scales == 0) {
      const bool missing = i_.mods[i_.spec().slot("scale_vec")] == Mod::None;
      return missing ? "`.kind::mxf4nvf4` names its `.scale_vec`, 2X or 4X"
                     : "this `.scale_vec` does not go with the kind";
    }
    if (!o.a->is(Operand::Kind::Address) && !is_register(*o.a, 64))
      return "a is an address in tensor memory, or a descriptor of 64 bits";
    if (form.shifts_a && !form.a_in_tensor_memory) return "`.ashift` requires an a in tensor memory";
    if (form.shifts_a && (i_.has(Mod::CollectorAUse) || i_.has(Mod::CollectorAFill)))
      return "`.ashift` does not go with `.collector::a::use` and `fill`";
    if (o.disabled_lanes && !is_list(*o.disabled_lanes, 4u * form.blocks)) {
      return fmt::format("`disable-output-lane` is {} registers of 32 bits", 4 * form.blocks);
    }
    if (o.disabled_lanes && (form.scales != 0 || form.weight_stationary))
      return "this form has no `disable-output-lane`";
    const bool predicate = o.accumulate && o.accumulate->is(Operand::Kind::Register) &&
                           function_.registers[o.accumulate->reg].type == Type::Pred;
    if (!predicate) return "`enable-input-d` is a predicate";
    if (o.scale_input) {
      if (form.kind != Tcgen05Kind::F16 && form.kind != Tcgen05Kind::Tf32)
        return "`scale-input-d` requires `.kind::f16` or `.kind::tf32`";
      if (!o.scale_input->is(Operand::Kind::Immediate) || o.scale_input->bits > 15)
        return "`scale-input-d` is a constant from 0 to 15";
    }
    return "";
  }

  const Instruction& i_;
  const Function& function_;
};

}  // namespace

std::string check_tcgen05(const Instruction& i, const Function& function) { return Checker(i, function).check(); }

}  // namespace warpwise::ptx
