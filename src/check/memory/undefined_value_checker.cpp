#include "check/memory/undefined_value_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/undefined_register.h"
#include "check/event_threads.h"
#include "check/memory/shadow_memory.h"
#include "check/source/copied_values.h"
#include "check/source/places.h"
#include "check/source/source_text.h"
#include "check/undefined_use.h"

namespace warpwise::check {

namespace {

using Use = simt::event::Undefined::Use;

// A register that was read and never written, as the program has it.
struct Unset {
  CodePlace place;  // where it is declared, or read
  bool declared = false;
  std::string name;  // "`v`", or "a variable"
};

bool has(const ptx::Operand& operand, uint64_t reg) {
  if (operand.is(ptx::Operand::Kind::Register) && operand.reg == reg) return true;
  return std::any_of(operand.elements.begin(), operand.elements.end(),
                     [&](const ptx::Operand& element) { return has(element, reg); });
}

// What an instruction writes comes first among its operands.
bool reads_register(const ptx::Instruction& instruction, uint64_t reg) {
  if (instruction.guard.present && instruction.guard.reg == reg) return true;
  const std::vector<ptx::Operand>& operands = instruction.operands;
  const size_t written = instruction.spec().opcode == "st" ? 0 : std::min<size_t>(1, operands.size());
  return std::any_of(operands.begin() + static_cast<std::ptrdiff_t>(written), operands.end(),
                     [&](const ptx::Operand& operand) { return has(operand, reg); });
}

// Named after the first instruction that reads the register.
Unset unset_of(const ptx::Module& module, uint64_t source) {
  Unset unset{.place = {}, .declared = false, .name = "a variable"};
  const uint64_t function = source >> 32, reg = source & 0xffffffff;
  if (function >= module.functions.size()) return unset;
  const ptx::Function& body = module.functions[function];
  if (reg >= body.registers.size()) return unset;
  const auto first =
      std::find_if(body.instructions.begin(), body.instructions.end(),
                   [&](const ptx::Instruction& instruction) { return reads_register(instruction, reg); });
  if (first != body.instructions.end())
    unset.place = code_place(module, static_cast<int64_t>(function), first - body.instructions.begin());
  unset.declared = body.registers[reg].name.starts_with(kUndefinedRegister);
  if (!unset.declared || unset.place.frames.empty()) return unset;
  if (std::string name = name_at(unset.place.frames.front()); !name.empty()) unset.name = fmt::format("`{}`", name);
  return unset;
}

std::string message_of(Use use, const std::string& name) {
  switch (use) {
    case Use::Branch:
      return fmt::format("a branch depends on {}, which was not set on the way here", name);
    case Use::Address:
      return fmt::format("an address depends on {}, which was not set on the way here", name);
    case Use::Stored:
      return fmt::format("what is stored depends on {}, which was not set on the way here", name);
    case Use::Copied:
      return fmt::format("{} is stored, and was not set on the way here", name);
    case Use::Added:
      return fmt::format("an atomic operation works with {}, which was not set on the way here", name);
  }
  return "";
}

}  // namespace

// The memory checker asks for kWatchInitialisation, where there is room for the shadow that this code writes to.
uint32_t UndefinedValueChecker::watch() const { return 0; }

void UndefinedValueChecker::on_event(const exec::ObservedEvent& event) {
  if (simt::kind_of(event.what) != simt::EventKind::Undefined) return;
  const auto use = simt::unpack<simt::event::Undefined>(event.what);
  for (const EventThread at : threads_of(event)) report(event, use, at);
}

void UndefinedValueChecker::report(const exec::ObservedEvent& event, const simt::event::Undefined& use,
                                   const EventThread& by) {
  const exec::KernelLaunch& launch = event.run.launch.launch;
  const ptx::Module& module = *launch.image->module;
  const simt::Site* at = event.run.launch.kernel.site_at(event.pc);
  const int64_t function = at ? int64_t{at->function} : -1, instruction = at ? int64_t{at->instruction} : -1;
  const uint32_t call = at ? at->call : simt::InlinedCall::kNone;
  MemoryPlace memory;
  if (use.stores()) {
    memory = memory_place(*arena_, event.addresses[by.lane], use.bytes, &event.run);
    if (memory.space != "global") return;  // a load will tell
    if (use.use == Use::Copied && !copies_one_value(module, function, instruction)) return;
    if (ShadowMemory::covers(event.addresses[by.lane], use.bytes)) {
      uint8_t* shadow = ShadowMemory::at(event.addresses[by.lane]);
      std::replace(shadow, shadow + use.bytes, simt::kUninitialised, simt::kInitialised);
    }
  }
  if (event.values[by.lane] & simt::event::Undefined::kShuffle) return;  // CollectiveChecks tells
  std::lock_guard lock(mutex_);
  FindingSink::Cause& cause = reported_[{&module, function, instruction, call, event.values[by.lane]}];
  if (cause != 0) return sink_.again(cause);
  const Unset unset = unset_of(module, event.values[by.lane]);
  Finding finding = make_finding("C0307", message_of(use.use, unset.name));
  finding.parties.push_back(
      thread_party(launch, role_of(use.use), event.run.block, by.thread,
                   code_place(module, function, instruction, event.run.launch.kernel.calls_around(call))));
  if (unset.declared && unset.place.known()) finding.parties.push_back({.role = "variable", .code = unset.place});
  if (use.stores()) finding.memory = std::move(memory);
  cause = sink_.report(std::move(finding));
}

}  // namespace warpwise::check
