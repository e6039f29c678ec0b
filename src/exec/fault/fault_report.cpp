#include "exec/fault/fault_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/demangled.h"
#include "exec/memory/arena.h"
#include "exec/memory/device_heap.h"
#include "ptx/source_file.h"

namespace warpwise::exec {

using device::Address;
using device::Failure;

const char* describe(Failure failure) {
  switch (failure) {
    case Failure::None:
      return "no error";
    case Failure::OutOfMemory:
      return "out of memory";
    case Failure::InvalidValue:
      return "invalid value";
    case Failure::InvalidAddress:
      return "invalid address";
    case Failure::InvalidConfiguration:
      return "invalid launch configuration";
    case Failure::InvalidClusterSize:
      return "invalid cluster size";
    case Failure::TooManyResources:
      return "too many resources requested for launch";
    case Failure::InvalidImage:
      return "no code for this device";
    case Failure::InvalidPtx:
      return "invalid PTX";
    case Failure::NotFound:
      return "not found";
    case Failure::NotSupported:
      return "not supported";
    case Failure::CooperativeTooLarge:
      return "cooperative launch too large";
    case Failure::Unloading:
      return "the device is gone: the process ends";
    case Failure::IllegalAddress:
      return "illegal memory access";
    case Failure::MisalignedAddress:
      return "misaligned memory access";
    case Failure::IllegalInstruction:
      return "illegal instruction";
    case Failure::InvalidPc:
      return "invalid program counter";
    case Failure::HardwareStackError:
      return "stack overflow";
    case Failure::Assert:
      return "assertion failed";
    case Failure::LaunchFailure:
      return "the kernel failed";
    case Failure::LaunchTimeout:
      return "the kernel did not end";
  }
  return "unknown failure";
}

namespace {

std::string file_and_line(const ptx::Module& module, const ptx::SourceLocation& place) {
  const std::string file = ptx::file_of(module, place);
  return fmt::format("{}:{}", file.empty() ? "?" : file, place.line);
}

// A place and the calls through which it was inlined, innermost first. Bounded: a broken table must not make a loop.
std::vector<const ptx::SourceLocation*> chain_of(const ptx::Module& module, const ptx::SourceLocation& place) {
  constexpr size_t kMostCalls = 16;
  std::vector<const ptx::SourceLocation*> chain{&place};
  for (int64_t at = place.inlined_at;
       at >= 0 && static_cast<size_t>(at) < module.locations.size() && chain.size() <= kMostCalls;
       at = chain.back()->inlined_at)
    chain.push_back(&module.locations[at]);
  return chain;
}

// From the user's innermost line out: nvcc says which line of a header of CUDA an atomicAdd is.
std::string describe_chain(const ptx::Module& module, const ptx::SourceLocation& place) {
  const std::vector<const ptx::SourceLocation*> chain = chain_of(module, place);
  const auto own = std::find_if(chain.begin(), chain.end(), [&](const ptx::SourceLocation* each) {
    return !ptx::is_of_cuda(ptx::file_of(module, *each));
  });
  auto at = own == chain.end() ? chain.begin() : own;
  std::string text = file_and_line(module, **at);
  for (std::string_view name = (*at)->function_name; ++at != chain.end(); name = (*at)->function_name)
    text += fmt::format("{} called at {}", name.empty() ? "," : fmt::format(" (in {})", demangled(name)),
                        file_and_line(module, **at));
  return text;
}

std::string in_brackets(const device::Dim3& d) { return fmt::format("({},{},{})", d.x, d.y, d.z); }

// "is 4 bytes past the end of ...", for an address and the region it is in or nearest to.
std::string relation(const Region& region, Address address) {
  std::string whose = region.owner == Owner::Program  ? fmt::format("a {}-byte allocation", region.size)
                      : region.owner == Owner::Module ? fmt::format("a module's variables ({} bytes)", region.size)
                                                      : fmt::format("{} ({} bytes)", region.what, region.size);
  if (region.contains(address, 1))
    return fmt::format("is byte {} of {} at {:#x}", address - region.base, whose, region.base);
  if (address < region.base)
    return fmt::format("is {} bytes before {} at {:#x}", region.base - address, whose, region.base);
  uint64_t past = address - region.base - region.size;
  return fmt::format("is {} past the end of {} at {:#x}", past ? fmt::format("{} bytes", past) : "just", whose,
                     region.base);
}

// A trap at a call is ours, where the pointer leads to no function; a program's own is an instruction.
bool is_call(const ptx::Module& module, const KernelFault& fault) {
  if (fault.function < 0 || static_cast<size_t>(fault.function) >= module.functions.size()) return false;
  const auto& instructions = module.functions[fault.function].instructions;
  return fault.instruction >= 0 && static_cast<size_t>(fault.instruction) < instructions.size() &&
         instructions[fault.instruction].spec().opcode == "call";
}

}  // namespace

std::string describe_place(const ptx::Module& module, int64_t function, int64_t instruction, bool with_instruction) {
  if (function < 0 || static_cast<size_t>(function) >= module.functions.size()) return "";
  const ptx::Function& f = module.functions[function];
  if (instruction < 0 || static_cast<size_t>(instruction) >= f.instructions.size()) return "";
  const ptx::Instruction& i = f.instructions[instruction];
  std::string text;
  // Line 0 is a compiler's "no line in particular".
  bool located = i.location >= 0 && static_cast<size_t>(i.location) < module.locations.size() &&
                 module.locations[i.location].line != 0;
  if (located) {
    text = describe_chain(module, module.locations[i.location]);
  } else if (module.source) {
    auto at = module.source->locate(i.span);
    if (at.line) text = fmt::format("{}:{}", module.source->name(), at.line);
  }
  if (!with_instruction) return text;
  // As one line with single blanks.
  std::string instruction_text;
  for (char c : i.span) {
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      instruction_text += c;
    else if (!instruction_text.empty() && instruction_text.back() != ' ')
      instruction_text += ' ';
  }
  return instruction_text.empty() ? text : fmt::format("{}{}`{}`", text, text.empty() ? "" : ", ", instruction_text);
}

std::string describe_address(const Arena& arena, Address address) {
  if (!Arena::in_window(address)) {
    if (address < 4096) return fmt::format("address {:#x} is (nearly) a null pointer", address);
    if (Arena::just_before_window(address))
      return fmt::format("address {:#x} is before all memory of the device", address);
    return fmt::format("address {:#x} is not device memory; it looks like a host pointer", address);
  }
  if (auto region = arena.find(address)) return fmt::format("address {:#x} {}", address, relation(*region, address));
  if (auto grave = arena.freed(address))
    return fmt::format("address {:#x} is byte {} of a {}-byte allocation at {:#x} that was freed", address,
                       address - grave->base, grave->size, grave->base);
  if (auto near = arena.nearest(address)) return fmt::format("address {:#x} {}", address, relation(*near, address));
  return fmt::format("address {:#x} is in no allocation", address);
}

std::string describe_stack_overflow(const KernelLaunch& launch, int64_t function) {
  const ptx::Module& module = *launch.image->module;
  std::string where;
  if (function >= 0 && static_cast<size_t>(function) < module.functions.size())
    where = fmt::format(" in `{}`", demangled(module.functions[function].name));
  if (launch.stack_bytes == 0) return fmt::format("stack overflow{}", where);
  return fmt::format(
      "stack overflow{}: a thread has {} bytes of stack; cudaDeviceSetLimit(cudaLimitStackSize, bytes) gives it more",
      where, launch.stack_bytes);
}

std::string reason_of_trap(const KernelLaunch& launch, const KernelFault& fault) {
  if (fault.misuse != Misuse::Trap || launch.grid_workspace != 0) return "";
  // cooperative_groups.h, NVIDIA's and ours, looks for the workspace of a cooperative launch in %envreg1 and %envreg2,
  // and ends in a trap without one. Other code has no use for these registers.
  const ptx::Module& module = *launch.image->module;
  if (fault.function < 0 || static_cast<size_t>(fault.function) >= module.functions.size()) return "";
  for (const ptx::Instruction& instruction : module.functions[fault.function].instructions)
    for (const ptx::Operand& operand : instruction.operands)
      if (operand.special == ptx::SpecialRegister::Envreg1)
        return "a barrier of the whole grid (grid.sync()) in a launch that is not cooperative";
  return "";
}

device::Status report_fault(const Machine& machine, const KernelLaunch& launch, const KernelFault& fault) {
  const ptx::Module& module = *launch.image->module;
  const bool wild_call = fault.misuse == Misuse::Trap && is_call(module, fault);
  const std::string reason = reason_of_trap(launch, fault);
  const std::string what = wild_call            ? "a call through a pointer to no function of the device"
                           : !reason.empty()    ? reason
                           : fault.what.empty() ? describe(fault.failure)
                                                : fault.what;
  std::string text = fmt::format("{}: kernel `{}`, block {}", what, demangled(launch.image->function().name),
                                 in_brackets(launch.block_at(fault.block)));
  if (fault.thread >= 0) {
    text += fmt::format(", thread {}", in_brackets(launch.thread_at(static_cast<uint32_t>(fault.thread))));
  } else if (fault.warp >= 0) {
    const uint64_t first = fault.warp * 32, last = std::min<uint64_t>(first + 32, launch.block.count()) - 1;
    text += first == last ? fmt::format(", thread {}", in_brackets(launch.thread_at(static_cast<uint32_t>(first))))
                          : fmt::format(", warp {} (threads {} to {})", fault.warp, first, last);
  }
  // Of an assertion the instruction, a call with five parameters, says nothing.
  std::string place =
      describe_place(module, fault.function, fault.instruction, /*with_instruction=*/fault.failure != Failure::Assert);
  if (!place.empty()) text += "\n  at " + place;
  if (fault.address) text += "\n  " + describe_address(*machine.arena, *fault.address);
  return {fault.failure, text};
}

}  // namespace warpwise::exec
