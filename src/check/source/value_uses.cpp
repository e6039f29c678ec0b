#include "check/source/value_uses.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "ptx/isa/isa.h"

namespace warpwise::check {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::SymbolRef;

template <class F>
void each_register(const Operand& operand, const F& f) {
  if (operand.is(Operand::Kind::Register) ||
      (operand.is(Operand::Kind::Address) && operand.base == Operand::Base::Register))
    f(operand.reg);
  for (const Operand& element : operand.elements) each_register(element, f);
}

bool is_written(const Instruction& inst, size_t operand) {
  const auto slots = inst.spec().operands;
  return operand < slots.size() && slots[operand].written;
}

// Follows a value through the functions of a module.
class Follower {
 public:
  explicit Follower(const ptx::Module& module) : module_(module), holds_(module.functions.size()) {
    for (size_t f = 0; f < holds_.size(); ++f) holds_[f].resize(module.functions[f].registers.size());
  }

  ValueUse run(uint32_t function, size_t instruction) {
    spread(function, module_.functions[function].instructions[instruction]);
    spread_everywhere(/*to_the_first_decision=*/true);
    return decides_ ? ValueUse::Decision : used_ ? ValueUse::Data : ValueUse::None;
  }

  // The branches of `function` that the value decides; nothing where it goes to other functions, or where it cannot be
  // followed.
  std::optional<std::vector<size_t>> branches(uint32_t function, size_t instruction) {
    spread(function, module_.functions[function].instructions[instruction]);
    spread_everywhere(/*to_the_first_decision=*/false);
    if (!carriers_.empty() || decides_unseen_) return std::nullopt;
    std::vector<size_t> out;
    const auto& instructions = module_.functions[function].instructions;
    for (size_t i = 0; i < instructions.size(); ++i)
      if (instructions[i].op == ptx::Op::bra && instructions[i].guard.present &&
          holds_[function][instructions[i].guard.reg])
        out.push_back(i);
    return out;
  }

 private:
  void spread_everywhere(bool to_the_first_decision) {
    while (!waiting_.empty() && !(decides_ && to_the_first_decision)) {
      const uint32_t next = *waiting_.begin();
      waiting_.erase(waiting_.begin());
      for (const Instruction& inst : module_.functions[next].instructions) visit(next, inst);
    }
  }

  // A parameter of a function, what it returns, or a variable of its for a call.
  using Carrier = std::tuple<uint32_t, SymbolRef::Kind, uint32_t>;

  bool held(uint32_t function, const Operand& operand) const {
    bool found = false;
    each_register(operand, [&](ptx::RegisterId r) { found = found || holds_[function][r]; });
    return found;
  }
  bool carried(uint32_t function, const SymbolRef& symbol) const {
    return carriers_.contains({function, symbol.kind, symbol.index});
  }
  bool is_carrier(const Operand& operand) const {
    return (operand.is(Operand::Kind::Symbol) ||
            (operand.is(Operand::Kind::Address) && operand.base == Operand::Base::Symbol)) &&
           operand.symbol.kind != SymbolRef::Kind::ModuleVariable;
  }

  // Whatever an instruction writes to registers holds the value.
  void spread(uint32_t function, const Instruction& inst) {
    for (size_t n = 0; n < inst.operands.size(); ++n) {
      if (!is_written(inst, n) || inst.operands[n].is(Operand::Kind::Address)) continue;
      each_register(inst.operands[n], [&](ptx::RegisterId r) {
        if (!holds_[function][r]) waiting_.insert(function);
        holds_[function][r] = true;
      });
    }
  }

  void carry(uint32_t function, const SymbolRef& symbol) {
    if (!carriers_.insert({function, symbol.kind, symbol.index}).second) return;
    waiting_.insert(function);
    if (symbol.kind != SymbolRef::Kind::ReturnParameter) return;
    for (uint32_t f = 0; f < module_.functions.size(); ++f)
      for (const Instruction& inst : module_.functions[f].instructions) {
        if (inst.spec().opcode != "call") continue;
        const Operand& callee = inst.operands[1];
        // Any call through a pointer may call this one.
        if (!calls_by_name(callee))
          decide_unseen();
        else if (callee.symbol.index == function)
          waiting_.insert(f);
      }
  }

  void decide_unseen() { decides_ = decides_unseen_ = true; }

  static bool calls_by_name(const Operand& callee) {
    return callee.is(Operand::Kind::Symbol) && callee.symbol.kind == SymbolRef::Kind::Function;
  }

  void visit(uint32_t function, const Instruction& inst) {
    decides_ = decides_ || (inst.guard.present && holds_[function][inst.guard.reg]);
    const std::string_view opcode = inst.spec().opcode;
    if (opcode == "call") return visit_call(function, inst);
    const bool of_parameters = (opcode == "ld" || opcode == "st") && inst.space() == ptx::Space::Param;
    if (of_parameters && opcode == "ld" && is_carrier(inst.operands[1]) && carried(function, inst.operands[1].symbol))
      spread(function, inst);
    bool reads = false;
    for (size_t n = 0; n < inst.operands.size(); ++n)
      if (!is_written(inst, n) || inst.operands[n].is(Operand::Kind::Address))
        reads = reads || held(function, inst.operands[n]);
    if (!reads) return;
    if (of_parameters && opcode == "st" && is_carrier(inst.operands[0]))
      return carry(function, inst.operands[0].symbol);
    used_ = true;
    // What is in the thread's own memory is read again by other instructions.
    const bool hidden = opcode == "st" && (inst.space() == ptx::Space::Local || inst.space() == ptx::Space::Param);
    if (hidden || inst.has(ptx::Mod::Cas)) decide_unseen();
    // What an atomic returns was in memory before; the value that it is given goes there.
    if (opcode != "atom" || held(function, inst.operands[1])) spread(function, inst);
  }

  // Parameters that are registers no compiler makes.
  static bool is_followed(const ptx::Function& f) {
    auto in_register = [](const ptx::Parameter& p) { return p.space == ptx::Space::Reg; };
    return !f.is_declaration && std::none_of(f.parameters.begin(), f.parameters.end(), in_register) &&
           std::none_of(f.returns.begin(), f.returns.end(), in_register);
  }

  void visit_call(uint32_t function, const Instruction& inst) {
    const Operand &results = inst.operands[0], &callee = inst.operands[1], &arguments = inst.operands[2];
    const bool followed = calls_by_name(callee) && is_followed(module_.functions[callee.symbol.index]);
    for (uint32_t n = 0; n < arguments.elements.size(); ++n) {
      const Operand& argument = arguments.elements[n];
      if (!held(function, argument) && !(is_carrier(argument) && carried(function, argument.symbol))) continue;
      if (followed)
        carry(callee.symbol.index, {SymbolRef::Kind::Parameter, n});
      else
        decide_unseen();
    }
    if (!followed) return;
    for (uint32_t n = 0; n < results.elements.size(); ++n) {
      const Operand& result = results.elements[n];
      if (!carried(callee.symbol.index, {SymbolRef::Kind::ReturnParameter, n})) continue;
      if (is_carrier(result))
        carry(function, result.symbol);
      else
        decide_unseen();
    }
  }

  const ptx::Module& module_;
  std::vector<std::vector<bool>> holds_;  // by function, by register
  std::set<Carrier> carriers_;
  std::set<uint32_t> waiting_;  // functions to be visited again
  bool used_ = false, decides_ = false;
  bool decides_unseen_ = false;  // elsewhere than by a branch
};

// Which instructions come behind one, up to what other threads may observe: barriers, and writes to memory.
class Behind {
 public:
  explicit Behind(const ptx::Function& function) : function_(function), seen_(function.instructions.size()) {}

  // Can `from` be followed by `to`?
  bool reaches(size_t from, size_t to) {
    std::fill(seen_.begin(), seen_.end(), false);
    std::vector<size_t> next{from};
    while (!next.empty()) {
      const size_t at = next.back();
      next.pop_back();
      if (at == to) return true;
      if (at >= seen_.size() || seen_[at]) continue;
      seen_[at] = true;
      const Instruction& inst = function_.instructions[at];
      const std::string_view opcode = inst.spec().opcode;
      const bool ends = opcode == "ret" || opcode == "exit" || opcode == "trap";
      const bool on_event =
          opcode == "bar" || opcode == "barrier" || opcode == "st" || opcode == "atom" || opcode == "red";
      if (inst.op == ptx::Op::bra) next.push_back(target_of(inst));
      if (inst.guard.present || !(ends || on_event || inst.op == ptx::Op::bra)) next.push_back(at + 1);
    }
    return false;
  }
  size_t target_of(const Instruction& branch) const {
    return function_.labels[branch.operands[0].symbol.index].instruction;
  }

 private:
  const ptx::Function& function_;
  std::vector<bool> seen_;
};

}  // namespace

ValueUse use_of_result(const ptx::Module& module, size_t function, size_t instruction) {
  return Follower(module).run(static_cast<uint32_t>(function), instruction);
}

bool may_be_polled(const ptx::Module& module, size_t function, size_t instruction) {
  const auto branches = Follower(module).branches(static_cast<uint32_t>(function), instruction);
  if (!branches) return true;
  const ptx::Function& f = module.functions[function];
  Behind behind(f);
  return std::any_of(branches->begin(), branches->end(), [&](size_t branch) {
    return behind.reaches(behind.target_of(f.instructions[branch]), instruction) !=
           behind.reaches(branch + 1, instruction);
  });
}

}  // namespace warpwise::check
