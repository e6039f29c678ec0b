// Operands: from registers, immediates, symbols and vectors to bits and back; and memory, checked.
#include "exec/interpreter/step.h"

#include <fmt/format.h>

#include "exec/interpreter/choices.h"
#include "exec/interpreter/cluster.h"
#include "exec/interpreter/dispatch.h"
#include "exec/interpreter/special_registers.h"
#include "exec/memory/arena.h"
#include "simt/instrument/counts.h"

namespace warpwise::exec::interpreter {

using device::Failure;
using ptx::Mod;
using ptx::Operand;
using ptx::Space;
using ptx::SymbolRef;
using ptx::Type;
using Kind = Operand::Kind;

bool Step::is_on() {
  const ptx::Guard& guard = inst.guard;
  if (!guard.present) return true;
  Operand predicate;
  predicate.kind = Kind::Register;
  predicate.reg = guard.reg;
  return (slot(predicate) != 0) != guard.negated;
}

std::optional<std::pair<Space, uint64_t>> Step::counted_address() {
  const auto counted = simt::counted_operand(inst);
  if (!counted) return std::nullopt;
  const auto [space, value] = resolve(operand(counted->operand), counted->space);
  if (space == Space::Param) return std::nullopt;
  if (space == Space::Shared || space == Space::Local) return std::pair(space, value);
  if (value - block.shared < block.shared_bytes) return std::pair(Space::Shared, value - block.shared);
  if (value - local_window() < block.run.program.local_bytes) return std::pair(Space::Local, value - local_window());
  return std::pair(Space::Global, value);
}

bool Step::execute() {
  if (is_on()) dispatch(*this);
  if (block.fault) return true;
  if (moves_on_ && thread.state == Thread::State::Running) ++frame().pc;
  return gives_way_;
}

Round Step::rounding() const {
  if (has(Mod::Rn)) return Round::Nearest;
  if (has(Mod::Rz) || has(Mod::Rzi)) return Round::Zero;
  if (has(Mod::Rm) || has(Mod::Rmi)) return Round::Down;
  if (has(Mod::Rp) || has(Mod::Rpi)) return Round::Up;
  if (has(Mod::Rna)) return Round::NearestAway;
  return Round::Nearest;
}

// --- operands -----------------------------------------------------------------------------------

namespace {

// ptx::bits_of without a call: each operand needs it.
constexpr unsigned kWidths[] = {0,
#define TYPE(id, name, bits, kind) bits,
                                WARPWISE_PTX_TYPES(TYPE)
#undef TYPE
};
unsigned width_of(Type type) { return kWidths[static_cast<unsigned>(type)]; }

Bits immediate(const Operand& operand, Type type) {
  if (type == Type::Pred) return operand.bits != 0;
  if (type == Type::F64) return operand.bits;
  if (operand.exact_f32) return operand.float_bits;
  if (type == Type::F32 && operand.is_float) return bits_of(static_cast<float>(double_of(operand.bits)));
  return static_cast<Bits>(static_cast<Number>(static_cast<int64_t>(operand.bits)));
}

}  // namespace

Bits Step::bits_in(const Operand& operand, Type type) {
  const unsigned width = width_of(type);
  switch (operand.kind) {
    case Kind::Register: {
      Bits value = slot(operand);
      if (operand.negated) value = ~value;
      const unsigned own = width_of(function().registers[operand.reg].type);
      if (width > own) value = static_cast<Bits>(number_of(value, own, ptx::is_signed(type)));
      return value & mask_of(width);
    }
    case Kind::Immediate:
      return immediate(operand, type) & mask_of(width);
    case Kind::Special:
      return special_register(*this, operand) & mask_of(width);
    case Kind::Symbol: {
      Operand place = operand;
      place.base = Operand::Base::Symbol;
      const bool shared = block.run.program.pairs && resolve(place, Space::Generic).first == Space::Shared;
      return (shared ? seen_address(address_of(operand)) : address_of(operand)) & mask_of(width);
    }
    case Kind::Vector: {
      // {a, b, ...}: the first element lies lowest.
      unsigned piece = width / static_cast<unsigned>(operand.elements.size());
      Type element = piece == 8 ? Type::B8 : piece == 16 ? Type::B16 : piece == 32 ? Type::B32 : Type::B64;
      Bits whole = 0;
      for (size_t k = 0; k < operand.elements.size(); ++k)
        whole |= bits_in(operand.elements[k], element) << (k * piece);
      return whole;
    }
    default:
      break;
  }
  fail(Failure::NotSupported, "P0900: an operand of this kind is not executed yet");
  return 0;
}

void Step::out(const Operand& operand, Bits value, Type type, bool extend_sign) {
  const unsigned width = width_of(type);
  switch (operand.kind) {
    case Kind::Sink:
      return;
    case Kind::Register: {
      const unsigned own = width_of(function().registers[operand.reg].type);
      if (own > width) value = static_cast<Bits>(number_of(value, width, extend_sign && ptx::is_signed(type)));
      slot(operand) = value & mask_of(own);
      return;
    }
    case Kind::Vector: {
      unsigned piece = width / static_cast<unsigned>(operand.elements.size());
      Type element = piece == 8 ? Type::B8 : piece == 16 ? Type::B16 : piece == 32 ? Type::B32 : Type::B64;
      for (size_t k = 0; k < operand.elements.size(); ++k) out(operand.elements[k], value >> (k * piece), element);
      return;
    }
    default:
      fail(Failure::NotSupported, "P0900: a destination of this kind is not executed yet");
  }
}

void Step::d(float value) { d(bits_of(canonical(value)), Type::F32); }
void Step::d(double value) { d(bits_of(canonical(value)), Type::F64); }

// --- memory -------------------------------------------------------------------------------------

device::Address Step::local_window() const {
  return block.local + uint64_t{thread.index} * block.run.program.local_bytes;
}

uint64_t Step::address_of(const Operand& operand) {
  const KernelImage& image = block.run.program.image;
  const Frame& f = frame();
  const uint32_t index = operand.symbol.index;
  uint64_t address = 0;
  switch (operand.symbol.kind) {
    case SymbolRef::Kind::ModuleVariable:
      if (module().variables[index].space == Space::Shared) {
        address = image.layout.module_shared[index];
      } else if (uint64_t at = image.globals_layout->offset[index]; at != ptx::kNotPlaced) {
        address = image.globals + at;
      } else {
        fail(Failure::InvalidPtx,
             fmt::format("P0901: `{}` is declared .extern and no module defines it", module().variables[index].name));
      }
      break;
    case SymbolRef::Kind::FunctionVariable:
      if (function().variables[index].space == Space::Shared) {
        address = image.layout.function_shared[f.function][index];
      } else {
        address = f.local + image.layout.function_local[f.function][index];
      }
      break;
    case SymbolRef::Kind::Parameter:
      address = function().is_entry ? function().parameters[index].offset
                                    : f.local + image.layout.function_parameter_copies[f.function][index];
      break;
    case SymbolRef::Kind::Function:
      address = function_address(index);
      break;
    default:
      fail(Failure::NotSupported, "P0900: the address of a label or result is not executed yet");
  }
  return address + operand.offset;
}

// Arguments and results of calls live outside the device's memory: nothing but ld.param and st.param with
// their names can reach them. An argument whose address is taken lives in local memory instead.
std::byte* Step::parameter_bytes(SymbolRef symbol, int64_t offset, unsigned bytes, bool& is_parameter) {
  Frame& f = frame();
  ParameterBytes* storage = nullptr;
  switch (symbol.kind) {
    case SymbolRef::Kind::FunctionVariable:
      if (function().variables[symbol.index].space == Space::Param) storage = &f.variables[symbol.index];
      break;
    case SymbolRef::Kind::Parameter:
      if (function().is_entry) break;
      if (block.run.program.image.layout.function_parameter_copies[f.function][symbol.index] != ptx::kNotPlaced) break;
      storage = &f.arguments[symbol.index];
      break;
    case SymbolRef::Kind::ReturnParameter:
      storage = &f.results[symbol.index];
      break;
    default:
      break;
  }
  is_parameter = storage != nullptr;
  if (!storage) return nullptr;
  if (offset < 0 || static_cast<uint64_t>(offset) + bytes > storage->size()) {
    fail(Failure::IllegalAddress, "access past the end of a parameter");
    return nullptr;
  }
  return storage->data() + offset;
}

// `bytes` at an offset in shared, local or parameter memory.
std::byte* Step::window(device::Address base, uint64_t window_bytes, uint64_t offset, unsigned bytes) {
  if (offset > window_bytes || bytes > window_bytes - offset) {
    fail(Failure::IllegalAddress, "", base + offset);
    return nullptr;
  }
  return engine_view(base + offset);
}

// Where an address operand points: a space, and an offset in it.
std::pair<Space, uint64_t> Step::resolve(const Operand& address, Space space) {
  if (address.base == Operand::Base::Symbol) {
    switch (address.symbol.kind) {
      case SymbolRef::Kind::ModuleVariable:
        space = module().variables[address.symbol.index].space;
        break;
      case SymbolRef::Kind::FunctionVariable:
        space = function().variables[address.symbol.index].space;
        break;
      case SymbolRef::Kind::Parameter:
        space = function().is_entry ? Space::Param : Space::Local;
        break;
      default:
        break;
    }
    return {space, address_of(address)};
  }
  if (address.base == Operand::Base::None) return {space, address.offset};
  Operand reg;
  reg.kind = Kind::Register;
  reg.reg = address.reg;
  reg.component = address.component;
  uint64_t value = static_cast<uint64_t>(
      bits_in(reg, ptx::bits_of(function().registers[address.reg].type) == 64 ? Type::U64 : Type::U32));
  // A device function's parameter reached through a register was copied to local memory.
  if (space == Space::Param && !function().is_entry) space = Space::Local;
  value += address.offset;
  if (space == Space::Shared || space == Space::Local) value = static_cast<uint32_t>(value);
  if (space == Space::Shared) value = has(ptx::Mod::SharedCluster) ? cluster_address(value) : shared_offset(value);
  return {space, value};
}

// --- addresses in shared memory that name their block -------------------------------------------------

uint64_t Step::seen_address(uint64_t offset) const {
  if (!block.run.program.pairs) return offset;
  uint64_t rank = 0;
  while (block.cluster.blocks[rank].get() != &block) ++rank;
  return offset | rank << simt::kClusterRankBit;
}
// Ours has the rank plus one there, and nothing for the own block.
uint64_t Step::seen_cluster_address(uint64_t address) const {
  if (!block.run.program.pairs) return address;
  return address > simt::kClusterOffsetMask ? address - (uint64_t{1} << simt::kClusterRankBit) : seen_address(address);
}
uint64_t Step::shared_offset(uint64_t seen) const {
  return block.run.program.pairs ? seen & simt::kClusterOffsetMask : seen;
}
uint64_t Step::cluster_address(uint64_t seen) const {
  return block.run.program.pairs ? seen + (uint64_t{1} << simt::kClusterRankBit) : seen;
}

std::byte* Step::memory(const Operand& address, Space space, unsigned size) {
  if (address.base == Operand::Base::Symbol) {
    bool is_parameter = false;
    std::byte* storage = parameter_bytes(address.symbol, address.offset, size, is_parameter);
    if (is_parameter) return storage;
  }
  std::byte* found = bytes(address, space, size);
  if (!found) return nullptr;
  device::Address at = generic_address(address, space, has(Mod::SharedCluster));
  if (at % size == 0) return found;
  fail(Failure::MisalignedAddress, fmt::format("misaligned memory access of {} bytes", size), at);
  return nullptr;
}

std::byte* Step::bytes(const Operand& address, Space named, unsigned size) {
  auto [space, offset] = resolve(address, named);
  switch (space) {
    case Space::Shared:
      if (offset >> simt::kClusterRankBit && has(Mod::SharedCluster)) break;
      return window(block.shared, block.shared_bytes, offset, size);
    case Space::Local:
      return window(local_window(), block.run.program.local_bytes, offset, size);
    case Space::Param:
      return window(block.run.parameters, block.run.launch.parameters.size(), offset, size);
    default:
      break;
  }
  device::Address at = generic_address(address, named, has(Mod::SharedCluster));
  std::byte* found = at ? block.run.machine.arena->view(at, size) : nullptr;
  if (!found) fail(Failure::IllegalAddress, "", at);
  if (found && block.run.trial && !inst.spec().opcode.starts_with("ld")) block.run.trial->undo.note(found, size);
  return found;
}

// A register of 64 bits may hold a generic address where one of shared memory is wanted (simt/lower/addresses.cpp).
device::Address Step::generic_address(const Operand& address, Space named, bool in_cluster) {
  if (named == Space::Shared && !in_cluster && address.base == Operand::Base::Register &&
      ptx::bits_of(function().registers[address.reg].type) == 64) {
    Operand reg;
    reg.kind = Operand::Kind::Register;
    reg.reg = address.reg;
    reg.component = address.component;
    const uint64_t value = static_cast<uint64_t>(bits_in(reg, Type::U64)) + static_cast<uint64_t>(address.offset);
    if (value - block.shared < block.shared_bytes) return value;
  }
  auto [space, offset] = resolve(address, named);
  switch (space) {
    case Space::Shared:
      return in_cluster ? block.cluster.to_generic(block, offset) : block.shared + offset;
    case Space::Local:
      return local_window() + offset;
    case Space::Param:
      return block.run.parameters + offset;
    default:
      return offset;
  }
}

device::Address Step::mbarrier(unsigned index) {
  device::Address at = generic_address(operand(index), inst.space(), has(Mod::SharedCluster));
  if (at % 8 != 0) return fail(Failure::MisalignedAddress, "an mbarrier that is not aligned to 8 bytes", at), 0;
  if (!block.cluster.owner_of_shared(at, 8))
    return fail(Failure::IllegalAddress, "an mbarrier outside shared memory", at), 0;
  return at;
}

// --- control ------------------------------------------------------------------------------------

void Step::jump(SymbolRef label) {
  frame().pc = function().labels[label.index].instruction;
  stay();
}

void Step::fail(Failure failure, std::string what, std::optional<device::Address> address, Misuse misuse) {
  KernelFault fault;
  fault.failure = failure;
  fault.misuse = misuse;
  fault.what = std::move(what);
  fault.block = block.index;
  fault.thread = thread.index;
  fault.function = frame().function;
  fault.instruction = frame().pc;
  fault.address = address;
  block.fail(std::move(fault));
}

}  // namespace warpwise::exec::interpreter
