// Control flow (PTX ISA 9.7.12): branches, calls and returns.
//
// A call makes a Frame: its own registers, a copy of the bytes of its arguments, and a piece of the thread's
// local memory behind the caller's. The caller's pc stays on the call until the callee returns, and then the
// call's results are written and the pc moves on.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "exec/fault/fault_report.h"
#include "exec/interpreter/dispatch.h"
#include "exec/interpreter/services.h"
#include "exec/memory/arena.h"

namespace warpwise::exec::interpreter {

using device::Failure;
using ptx::Operand;
using ptx::Space;
using ptx::SymbolRef;
using ptx::Type;
using Kind = Operand::Kind;

void run_bra(Step& s) { s.jump(s.operand(0).symbol); }

void run_brx_idx(Step& s) {
  const ptx::Label& list = s.function().labels[s.operand(1).symbol.index];
  s.jump(list.targets[std::min<size_t>(s.u32(0), list.targets.size() - 1)]);
}

Frame new_frame(const Program& program, uint32_t function, uint64_t local) {
  const ptx::Function& code = program.module.functions[function];
  Frame frame;
  frame.function = function;
  frame.registers.resize(program.slot_count[function]);
  frame.local = local;
  frame.stack = local + program.image.layout.frame_bytes[function];
  for (const ptx::Variable& variable : code.variables) {
    frame.variables.emplace_back(variable.space == Space::Param ? variable.size : 0);
  }
  if (code.is_entry) return frame;
  for (const ptx::Parameter& parameter : code.parameters) frame.arguments.emplace_back(parameter.size);
  for (const ptx::Parameter& result : code.returns) frame.results.emplace_back(result.size);
  return frame;
}

namespace {

const std::vector<Operand>& list(const Operand& operand) {
  static const std::vector<Operand> kEmpty;
  return operand.is(Kind::List) ? operand.elements : kEmpty;
}

bool is_param_variable(const Step& s, const Operand& operand) {
  return operand.is(Kind::Symbol) && operand.symbol.kind == SymbolRef::Kind::FunctionVariable &&
         s.function().variables[operand.symbol.index].space == Space::Param;
}

void copy(ParameterBytes& to, const void* from, size_t bytes) {
  if (!to.empty()) std::memcpy(to.data(), from, std::min(bytes, to.size()));
}

// The bytes that an operand of a call stands for.
void read_argument(Step& s, const Operand& operand, Type type, ParameterBytes& to) {
  if (is_param_variable(s, operand)) {
    const ParameterBytes& from = s.frame().variables[operand.symbol.index];
    return copy(to, from.data(), from.size());
  }
  Bits value = s.bits_in(operand, type);
  copy(to, &value, sizeof value);
}

void write_result(Step& s, const Operand& operand, Type type, const ParameterBytes& from) {
  if (is_param_variable(s, operand)) return copy(s.frame().variables[operand.symbol.index], from.data(), from.size());
  Bits value = 0;
  std::memcpy(&value, from.data(), std::min(from.size(), sizeof value));
  s.out(operand, value, type);
}

// --- services ---

uint64_t service_argument(Step& s, unsigned k) {
  uint64_t value = 0;
  ParameterBytes bytes(8);
  const std::vector<Operand>& arguments = list(s.operand(2));
  if (k < arguments.size()) read_argument(s, arguments[k], Type::B64, bytes);
  std::memcpy(&value, bytes.data(), 8);
  return value;
}

void call_service(Step& s, Service service) {
  uint64_t result = 0;
  unsigned bytes = 8;
  switch (service) {
    case Service::Vprintf:
      result = static_cast<uint32_t>(print(s, service_argument(s, 0), service_argument(s, 1)));
      bytes = 4;
      break;
    case Service::Malloc:
      result = allocate(s, service_argument(s, 0));
      break;
    case Service::Free:
      return release(s, service_argument(s, 0));
    case Service::SignedOverflow:
      return;
    default:
      return assertion_failed(s, service_argument(s, 0), service_argument(s, 1),
                              static_cast<uint32_t>(service_argument(s, 2)), service_argument(s, 3));
  }
  const std::vector<Operand>& results = list(s.operand(0));
  if (results.empty()) return;
  ParameterBytes value(bytes);
  copy(value, &result, bytes);
  write_result(s, results[0], bytes == 4 ? Type::B32 : Type::B64, value);
}

// --- functions ---

// The function a call means: by name, or by the address in a register. -1 after a fault.
int64_t callee_of(Step& s) {
  const Operand& callee = s.operand(1);
  if (callee.is(Kind::Symbol) && callee.symbol.kind == SymbolRef::Kind::Function) return callee.symbol.index;
  uint64_t address = static_cast<uint64_t>(s.bits_in(callee, Type::U64));
  uint64_t index = address / kFunctionAddressUnit - 1;
  if (address % kFunctionAddressUnit == 0 && index < s.module().functions.size()) {
    const ptx::Function& function = s.module().functions[index];
    if (!function.is_entry && !function.is_declaration && s.block.run.program.image.layout.reachable[index] &&
        function.parameters.size() == list(s.operand(2)).size()) {
      return static_cast<int64_t>(index);
    }
  }
  s.fail(Failure::InvalidPc,
         fmt::format("call of {:#x}, which is not the address of a function of this shape", address));
  return -1;
}

// A .param whose address the callee takes is reached through local memory.
void place_copies(Step& s, const Frame& frame) {
  const Program& program = s.block.run.program;
  const std::vector<uint64_t>& copies = program.image.layout.function_parameter_copies[frame.function];
  for (size_t k = 0; k < frame.arguments.size(); ++k) {
    if (copies[k] == ptx::kNotPlaced || frame.arguments[k].empty()) continue;
    std::memcpy(engine_view(s.local_window() + frame.local + copies[k]), frame.arguments[k].data(),
                frame.arguments[k].size());
  }
}

}  // namespace

void run_call(Step& s) {
  const Program& program = s.block.run.program;
  int64_t callee = callee_of(s);
  if (callee < 0) return;
  uint32_t index = static_cast<uint32_t>(callee);
  const ptx::Function& function = s.module().functions[index];
  if (Service service = service_of(function); service != Service::None) return call_service(s, service);

  Frame frame = new_frame(program, index, s.frame().stack);
  if (frame.stack > program.local_bytes || s.thread.frames.size() > program.call_depth)
    return s.fail(Failure::HardwareStackError, describe_stack_overflow(s.block.run.launch, index));
  const std::vector<Operand>& arguments = list(s.operand(2));
  for (size_t k = 0; k < function.parameters.size() && k < arguments.size(); ++k) {
    const ptx::Parameter& parameter = function.parameters[k];
    read_argument(s, arguments[k], parameter.type, frame.arguments[k]);
    if (parameter.space == Space::Reg) {
      Bits value = 0;
      std::memcpy(&value, frame.arguments[k].data(), std::min(frame.arguments[k].size(), sizeof value));
      frame.registers[program.slot[index][parameter.reg]] = value;
    }
  }
  place_copies(s, frame);
  s.stay();
  s.thread.frames.push_back(std::move(frame));
}

void return_from(Block& block, Thread& thread) {
  if (thread.frames.size() == 1) return block.exit(thread);
  const Program& program = block.run.program;
  Frame done = std::move(thread.frames.back());
  thread.frames.pop_back();
  const ptx::Function& callee = program.module.functions[done.function];
  const ptx::Function& caller = program.module.functions[thread.frame().function];
  Step s(block, thread, caller.instructions[thread.frame().pc]);
  const std::vector<Operand>& results = list(s.operand(0));
  for (size_t k = 0; k < callee.returns.size() && k < results.size(); ++k) {
    const ptx::Parameter& result = callee.returns[k];
    if (result.space == Space::Reg)
      copy(done.results[k], &done.registers[program.slot[done.function][result.reg]], sizeof(Bits));
    write_result(s, results[k], result.type, done.results[k]);
  }
  ++thread.frame().pc;
}

void run_ret(Step& s) {
  s.stay();
  return_from(s.block, s.thread);
}
void run_exit(Step& s) { s.block.exit(s.thread); }

}  // namespace warpwise::exec::interpreter
