#include "check/source/copied_values.h"

#include "ptx/isa/isa.h"

namespace warpwise::check {

bool copies_one_value(const ptx::Module& module, int64_t function, int64_t instruction) {
  if (function < 0 || instruction < 0) return false;
  const ptx::Function& body = module.functions[static_cast<size_t>(function)];
  auto place_of = [&](const ptx::Instruction& inst) {
    return inst.location == ptx::kNoLocation ? nullptr : &module.locations[static_cast<size_t>(inst.location)];
  };
  const ptx::Instruction& access = body.instructions[static_cast<size_t>(instruction)];
  const std::string_view opcode = access.spec().opcode;
  const ptx::SourceLocation* place = place_of(access);
  if (!place || place->column == 0 || (opcode != "ld" && opcode != "st") || access.vector_length() != 1) return false;
  int accesses = 0;
  for (const ptx::Instruction& other : body.instructions) {
    const ptx::SourceLocation* at =
        other.spec().opcode == opcode && other.space() != ptx::Space::Param ? place_of(other) : nullptr;
    accesses += at && at->file == place->file && at->line == place->line && at->column == place->column &&
                at->inlined_at == place->inlined_at;
  }
  return accesses == 1;
}

}  // namespace warpwise::check
