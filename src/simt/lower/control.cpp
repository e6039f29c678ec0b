// Control flow (PTX ISA 9.7.12): bra, brx.idx, ret, exit, and a function's own frame.
//
// PTX's control flow is LLVM's: labels are blocks, whatever their shape; the passes deal with divergence.
#include "simt/lower/control.h"

#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Space;
using Kind = ptx::Operand::Kind;

bool is_pure(const ptx::Instruction& inst) {
  switch (inst.spec().unit) {
    case ptx::Unit::Alu:
    case ptx::Unit::Fp32:
    case ptx::Unit::Fp64:
    case ptx::Unit::Half:
    case ptx::Unit::Sfu:
      break;
    default:
      return false;
  }
  // The table counts these as arithmetic, but they depend on which lanes take part, or have an effect.
  for (std::string_view opcode :
       {"vote", "match", "redux", "elect", "activemask", "nanosleep", "pmevent", "alloca", "stackrestore"}) {
    if (inst.spec().opcode == opcode) return false;
  }
  for (const ptx::Operand& operand : inst.operands) {
    if (operand.is(Kind::Address)) return false;
  }
  return true;
}

namespace {

// The byte array of a parameter, as an alloca that disappears with inlining.
llvm::AllocaInst* parameter_storage(FunctionLowering& f, uint64_t size, uint32_t align, std::string_view name) {
  auto* type = llvm::ArrayType::get(f.builder.getInt8Ty(), size);
  llvm::AllocaInst* storage = f.entry_alloca(type, llvm::StringRef(name.data(), name.size()));
  storage->setAlignment(llvm::Align(align ? align : 1));
  return storage;
}

// Copies a parameter whose address is taken into the frame, byte group by byte group.
void copy_to_frame(FunctionLowering& f, const ptx::Parameter& parameter, llvm::Value* from, uint64_t offset) {
  auto divides = [&](unsigned bytes) { return parameter.align >= bytes && parameter.size % bytes == 0; };
  unsigned step = divides(8) ? 8 : divides(4) ? 4 : 1;
  llvm::Type* type = f.builder.getIntNTy(step * 8);
  for (uint64_t at = 0; at < parameter.size; at += step) {
    llvm::Value* source = f.builder.CreateConstInBoundsGEP1_64(f.builder.getInt8Ty(), from, at);
    auto* piece = f.builder.CreateAlignedLoad(type, source, llvm::Align(step));
    Value to = f.frame() + (offset + at);
    auto* pointer = int_to_pointer(f.builder, to.get(), f.builder.getPtrTy(kLocal));
    f.builder.CreateAlignedStore(piece, pointer, llvm::Align(step));
  }
}

void bind_register(FunctionLowering& f, const ptx::Parameter& parameter, llvm::Value* from) {
  const RegisterSlot& slot = f.registers[parameter.reg];
  f.builder.CreateStore(f.builder.CreateLoad(slot.type, from), slot.parts[0]);
}

// A function that allocates on the stack keeps %sp, which starts after its frame.
void make_stack_pointer(FunctionLowering& f) {
  for (const ptx::Instruction& inst : f.ptx.instructions) {
    if (inst.spec().opcode != "alloca") continue;
    f.stack_pointer = f.entry_alloca(f.builder.getInt64Ty(), "%sp");
    f.builder.CreateStore((f.frame() + f.module.layout.frame_bytes[f.index]).get(), f.stack_pointer);
    break;
  }
}

}  // namespace

void bind_parameters(FunctionLowering& f) {
  make_stack_pointer(f);
  for (const ptx::Variable& variable : f.ptx.variables) {
    f.param_variables.push_back(
        variable.space == Space::Param ? parameter_storage(f, variable.size, variable.align, variable.name) : nullptr);
  }
  f.parameter_copies.assign(f.ptx.parameters.size(), ptx::kNotPlaced);
  if (f.ptx.is_entry) return;

  unsigned argument = 1;  // after %lsp
  for (uint32_t p = 0; p < f.ptx.parameters.size(); ++p) {
    const ptx::Parameter& parameter = f.ptx.parameters[p];
    llvm::Value* pointer = f.function->getArg(argument++);
    f.parameters.push_back(pointer);
    if (parameter.space == Space::Reg) {
      bind_register(f, parameter, pointer);
    } else if (uint64_t copy = f.module.layout.function_parameter_copies[f.index][p]; copy != ptx::kNotPlaced) {
      f.parameter_copies[p] = copy;
      copy_to_frame(f, parameter, pointer, copy);
    }
  }
  for (size_t r = 0; r < f.ptx.returns.size(); ++r) f.returns.push_back(f.function->getArg(argument++));
}

void finish_return(FunctionLowering& f) {
  for (size_t r = 0; r < f.returns.size(); ++r) {
    const ptx::Parameter& result = f.ptx.returns[r];
    if (result.space != Space::Reg) continue;
    const RegisterSlot& slot = f.registers[result.reg];
    f.builder.CreateStore(f.builder.CreateLoad(slot.type, slot.parts[0]), f.returns[r]);
  }
  f.builder.CreateRetVoid();
}

namespace {

llvm::BasicBlock* target(Emit& e, const ptx::SymbolRef& label) { return e.function().label_blocks[label.index]; }

}  // namespace

void lower_bra(Emit& e) { e.ir.CreateBr(target(e, e.operand(0).symbol)); }

// An index past the list is undefined behaviour (9.7.12.3); we go to the last target.
void lower_brx_idx(Emit& e) {
  const ptx::Label& list = e.function().ptx.labels[e.operand(1).symbol.index];
  Value index = e.in(0, ptx::Type::U32);
  auto* choice = e.ir.CreateSwitch(index.get(), target(e, list.targets.back()), list.targets.size());
  for (uint32_t k = 0; k + 1 < list.targets.size(); ++k) choice->addCase(e.ir.getInt32(k), target(e, list.targets[k]));
}

void lower_ret(Emit& e) { e.ir.CreateBr(e.function().return_block); }

// In a device function, exit must not return to the caller: the passes turn ww.exit into a branch to
// the kernel's end once the function is inlined.
void lower_exit(Emit& e) {
  if (e.function().ptx.is_entry) return lower_ret(e);
  e.call(Dialect::Exit);
  e.ir.CreateUnreachable();
}

}  // namespace warpwise::simt
