// Addresses: what `[%rd1+8]`, `[buffer]` and `mov.u64 %rd, buffer` mean (PTX ISA 5.1, 6.4.1).
//
// Every variable has a place inside its own state space (ptx/layout.h):
//
//     .global .const   ww.globals() + offset
//     .shared          offset in the block's shared memory
//     .local           frame + offset in the thread's local memory
//     .param           kernel: offset in the parameter buffer; device function: the pointer that it was given, or, once
//     its address is taken, a copy in local memory; a call's own: an alloca
//
// Addresses in shared and local memory have 32 bits. What loads, stores and atomics do with a register and a constant
// is left to scalar/wrap_addresses.h; addresses that are values, such as those for services, wrap here.
#include <fmt/format.h>

#include "simt/abi.h"
#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

using ptx::Operand;
using ptx::Space;
using ptx::SymbolRef;
using Kind = ptx::Operand::Kind;

namespace {

unsigned addrspace_of(Space space) {
  switch (space) {
    case Space::Global:
      return kGlobal;
    case Space::Const:
      return kConst;
    case Space::Shared:
      return kShared;
    case Space::Local:
      return kLocal;
    case Space::Param:
      return kParam;
    default:
      return kGeneric;
  }
}

// Where a symbol is: an i64 inside `space`, or a pointer to an alloca.
struct SymbolPlace {
  Space space = Space::Generic;
  Value offset;
  llvm::Value* pointer = nullptr;
};

SymbolPlace module_variable(Emit& e, uint32_t index) {
  ModuleLowering& module = e.function().module;
  const ptx::Variable& variable = module.ptx.variables[index];
  if (variable.space == Space::Shared) return {Space::Shared, e.i64(module.layout.module_shared[index]), nullptr};
  uint64_t offset = module.globals.offset[index];
  if (offset == ptx::kNotPlaced) {
    e.function().fail("P0901", fmt::format("`{}` is declared .extern and no module defines it", variable.name));
    offset = 0;
  }
  Value base = e.call(Dialect::GlobalsBase);
  return {variable.space, offset ? base + offset : base, nullptr};
}

SymbolPlace function_variable(Emit& e, uint32_t index) {
  FunctionLowering& f = e.function();
  const ptx::KernelLayout& layout = f.module.layout;
  switch (f.ptx.variables[index].space) {
    case Space::Shared:
      return {Space::Shared, e.i64(layout.function_shared[f.index][index]), nullptr};
    case Space::Local:
      return {Space::Local, f.frame() + layout.function_local[f.index][index], nullptr};
    case Space::Param:
      return {Space::Param, {}, f.param_variables[index]};
    default:
      break;
  }
  e.unsupported("a variable of this space inside a function");
  return {Space::Shared, e.i64(0), nullptr};
}

SymbolPlace place_of(Emit& e, SymbolRef symbol) {
  FunctionLowering& f = e.function();
  switch (symbol.kind) {
    case SymbolRef::Kind::ModuleVariable:
      return module_variable(e, symbol.index);
    case SymbolRef::Kind::FunctionVariable:
      return function_variable(e, symbol.index);
    case SymbolRef::Kind::Parameter:
      if (f.ptx.is_entry) return {Space::Param, e.i64(f.ptx.parameters[symbol.index].offset), nullptr};
      if (uint64_t copy = f.parameter_copies[symbol.index]; copy != ptx::kNotPlaced) {
        return {Space::Local, f.frame() + copy, nullptr};
      }
      return {Space::Param, {}, f.parameters[symbol.index]};
    case SymbolRef::Kind::ReturnParameter:
      return {Space::Param, {}, f.returns[symbol.index]};
    case SymbolRef::Kind::Function:
      return {Space::Generic, e.i64(ptx::function_address(symbol.index)), nullptr};
    default:
      break;
  }
  e.unsupported("the address of a label");
  return {Space::Generic, e.i64(0), nullptr};
}

Place pointer_to(Emit& e, Value address, Space space) {
  return {&e.ir, int_to_pointer(e.ir, address.get(), e.ir.getPtrTy(addrspace_of(space)))};
}

}  // namespace

Place Emit::place(const Operand& address, Space space) {
  switch (address.base) {
    case Operand::Base::Register: {
      const ptx::Register& reg = function_.ptx.registers[address.reg];
      Operand base;
      base.kind = Kind::Register;
      base.reg = address.reg;
      base.component = address.component;
      Value value = in(base, ptx::bits_of(reg.type) == 64 ? ptx::Type::U64 : ptx::Type::U32);
      value = zext(value, 64);
      if (address.offset) value = value + address.offset;
      // A device function's parameter reached through a register was copied to local memory.
      if (space == Space::Param && !function_.ptx.is_entry) space = Space::Local;
      if (space == Space::Shared && has(ptx::Mod::SharedCluster))
        return pointer_to(*this, call(Dialect::ClusterToGeneric, cluster_address(wrapped(value))), Space::Generic);
      if (space == Space::Shared) value = shared_offset(value);
      return pointer_to(*this, value, space);
    }
    case Operand::Base::Symbol: {
      SymbolPlace symbol = place_of(*this, address.symbol);
      if (symbol.pointer) return Place{&ir, symbol.pointer}.plus(address.offset);
      Value value = address.offset ? symbol.offset + address.offset : symbol.offset;
      return pointer_to(*this, value, symbol.space);
    }
    case Operand::Base::None:
      return pointer_to(*this, i64(address.offset), space);
  }
  llvm_unreachable("all bases are listed");
}

// A 64-bit register may hold a generic address where an address in shared memory is expected. Hardware takes its lower
// half, which is the offset. Services handle such addresses, too; for plain accesses the check would cost too much.
Value Emit::generic_address(unsigned index, Space space) {
  Place at = place(index, space);
  const Operand& given = operand(index);
  if (space == Space::Shared && !has(ptx::Mod::SharedCluster) && given.base == Operand::Base::Register &&
      given.is(Operand::Kind::Address) && ptx::bits_of(function_.ptx.registers[given.reg].type) == 64) {
    Operand base;
    base.kind = Kind::Register;
    base.reg = given.reg;
    base.component = given.component;
    Value value = in(base, ptx::Type::U64) + static_cast<uint64_t>(given.offset);
    return select(call(Dialect::IsShared, value), value, shared_offset(wrapped(value)) + call(Dialect::SharedBase));
  }
  auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(at.pointer);
  if (!cast) {
    unsupported("the address of a parameter of a call");
    return i64(0);
  }
  Value address(ir, cast->getOperand(0));
  switch (cast->getType()->getPointerAddressSpace()) {
    case kShared:
      return wrapped(address) + call(Dialect::SharedBase);
    case kLocal:
      return address + call(Dialect::LocalBase);
    case kParam:
      return address + call(Dialect::ParamBase);
    default:
      return address;
  }
}

void Emit::mark_group(llvm::Instruction* access, unsigned index, unsigned count) {
  if (count == 1) return;
  auto number = [&](unsigned n) { return llvm::ConstantAsMetadata::get(ir.getInt32(n)); };
  access->setMetadata("ww.group", llvm::MDNode::get(ir.getContext(), {number(index), number(count)}));
}

Value Emit::wrapped(Value address) { return zext(trunc(address, 32), 64); }

Value Emit::address_of(const Operand& operand) {
  SymbolPlace symbol = place_of(*this, operand.symbol);
  if (symbol.pointer) {
    unsupported("the address of a parameter of a call");
    return i64(0);
  }
  Value address = operand.offset ? symbol.offset + operand.offset : symbol.offset;
  return symbol.space == Space::Shared ? seen_address(address) : address;
}

// --- addresses in shared memory that name their block -------------------------------------------------

Value Emit::seen_address(Value offset) {
  if (!function_.module.pairs) return offset;
  Value y = call(Dialect::ClusterCtaidY) + call(Dialect::ClusterNctaidY) * call(Dialect::ClusterCtaidZ);
  Value rank = call(Dialect::ClusterCtaidX) + call(Dialect::ClusterNctaidX) * y;
  return offset | zext(rank, 64) << kClusterRankBit;
}
// Our addresses have the rank plus one there, and 0 for the own block.
Value Emit::seen_cluster_address(Value address) {
  if (!function_.module.pairs) return address;
  Value other = address - (uint64_t{1} << kClusterRankBit);
  return select(address > kClusterOffsetMask, other, seen_address(address));
}
Value Emit::shared_offset(Value seen) { return function_.module.pairs ? seen & kClusterOffsetMask : seen; }
Value Emit::cluster_address(Value seen) {
  return function_.module.pairs ? seen + (uint64_t{1} << kClusterRankBit) : seen;
}

}  // namespace warpwise::simt
