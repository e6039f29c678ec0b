// Textures and surfaces (PTX ISA 9.7.10, 9.7.11): the instruction is taken apart (ptx/shapes/image_access.h),
// src/texture does the work.
#include "exec/interpreter/dispatch.h"
#include "exec/services/image_fault.h"
#include "exec/services/texture_table.h"

namespace warpwise::exec::interpreter {

using ptx::Operand;
using ptx::Type;

namespace {

// The handle, or the address of the variable that holds it.
uint64_t handle_of(Step& s, const Operand& address) {
  Operand base = address;
  base.kind = address.base == Operand::Base::Symbol ? Operand::Kind::Symbol : Operand::Kind::Register;
  return static_cast<uint64_t>(s.bits_in(base, Type::B64));
}

void run_image(Step& s) {
  const ptx::ImageInstruction image = ptx::take_apart(s.inst);
  const uint64_t handle = handle_of(s, *image.handle);
  const device::TextureDescriptor* texture = s.block.run.machine.textures->find(handle);
  if (!texture) {
    const KernelFault fault = no_such_image(handle, image.access);
    return s.fail(fault.failure, fault.what);
  }
  uint32_t words[ptx::kMostImageWords], results[ptx::kMostImageResults];
  unsigned count = 0;
  for (const ptx::ImageOperand& word : image.words) {
    const Bits value = s.bits_in(*word.operand, word.type);
    words[count++] = static_cast<uint32_t>(value);
    if (ptx::bits_of(word.type) == 64) words[count++] = static_cast<uint32_t>(value >> 32);
  }
  const texture::Outcome outcome = texture::access_image(*texture, image.access, words, results);
  if (outcome != texture::Outcome::Done) {
    const KernelFault fault = image_fault(*texture, image.access, outcome);
    return s.fail(fault.failure, fault.what);
  }
  count = 0;
  for (const ptx::ImageOperand& result : image.results) {
    Bits value = results[count++];
    if (ptx::bits_of(result.type) == 64) value |= static_cast<Bits>(results[count++]) << 32;
    s.out(*result.operand, value, result.type);
  }
  if (image.resident) s.out(*image.resident, 1, Type::Pred);
}

}  // namespace

void run_tex(Step& s) { run_image(s); }
void run_tex_x2(Step& s) { run_image(s); }
void run_tex_base(Step& s) { run_image(s); }
void run_tex_level(Step& s) { run_image(s); }
void run_tex_level_x2(Step& s) { run_image(s); }
void run_tex_grad(Step& s) { run_image(s); }
void run_tex_grad_x2(Step& s) { run_image(s); }
void run_tld4(Step& s) { run_image(s); }
void run_txq(Step& s) { run_image(s); }
void run_txq_level(Step& s) { run_image(s); }
void run_suld(Step& s) { run_image(s); }
void run_sust(Step& s) { run_image(s); }
void run_sust_formatted(Step& s) { run_image(s); }
void run_sured(Step& s) { run_image(s); }
void run_sured_formatted(Step& s) { run_image(s); }
void run_suq(Step& s) { run_image(s); }

// Is it the address of a variable of that type?
void run_istypep(Step& s) {
  const uint64_t address = static_cast<uint64_t>(s.bits_in(1, Type::B64));
  bool is = false;
  for (uint32_t v = 0; v < s.module().variables.size(); ++v) {
    if (s.module().variables[v].type != s.type()) continue;
    Operand variable;
    variable.kind = Operand::Kind::Symbol;
    variable.symbol = {ptx::SymbolRef::Kind::ModuleVariable, v};
    is |= s.address_of(variable) == address;
  }
  s.d(Bits{is}, Type::Pred);
}

}  // namespace warpwise::exec::interpreter
