#include "exec/interpreter/program.h"

#include <fmt/format.h>

#include "exec/fault/fault_report.h"
#include "exec/interpreter/choices.h"
#include "ptx/shapes/tcgen05.h"
#include "ptx/signed_overflow.h"
#include "ptx/verify/not_executed.h"

namespace warpwise::exec::interpreter {

Program::Program(const KernelLaunch& launch) : image(*launch.image), module(*launch.image->module) {
  for (const ptx::Function& function : module.functions) {
    std::vector<uint32_t>& slots = slot.emplace_back();
    uint32_t next = 0;
    for (const ptx::Register& reg : function.registers) {
      slots.push_back(next);
      next += reg.vector;
    }
    slot_count.push_back(next);
  }
  local_bytes = image.layout.local_bytes + launch.stack_bytes;
  pairs = ptx::works_for_pairs(module);
  for (const ptx::Function& f : module.functions)
    for (const ptx::Instruction& i : f.instructions)
      cancels_clusters |= i.op == ptx::Op::clusterlaunchcontrol_try_cancel;
  call_depth = launch.stack_bytes / kLeastCallBytes + static_cast<uint32_t>(module.functions.size());
}

Service service_of(const ptx::Function& function) {
  if (!function.is_declaration) return Service::None;
  if (function.name == "vprintf") return Service::Vprintf;
  if (function.name == "malloc") return Service::Malloc;
  if (function.name == "free") return Service::Free;
  if (function.name == "__assertfail") return Service::AssertFail;
  if (ptx::overflow_told_by(function.name)) return Service::SignedOverflow;
  return Service::None;
}

Result<void> check_executable(const KernelImage& image) {
  const ptx::Module& module = *image.module;
  for (size_t f = 0; f < module.functions.size(); ++f) {
    const ptx::Function& function = module.functions[f];
    if (!image.layout.reachable[f] || service_of(function) != Service::None) continue;
    if (function.is_declaration) {
      return Error{"P0901", fmt::format("`{}` is declared .extern and no module defines it; `{}` may call it",
                                        function.name, image.function().name)};
    }
    for (size_t i = 0; i < function.instructions.size(); ++i) {
      const ptx::Spec& row = function.instructions[i].spec();
      if (row.state == ptx::State::Executed) continue;
      std::string place = describe_place(module, static_cast<int64_t>(f), static_cast<int64_t>(i));
      return Error{"P0900", fmt::format("`{}` in `{}` ({}): {}", row.opcode, function.name, place,
                                        ptx::why_not_executed(function.instructions[i]))};
    }
  }
  return {};
}

}  // namespace warpwise::exec::interpreter
