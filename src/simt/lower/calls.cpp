// Calls (PTX ISA 9.7.12.5): of functions by name or through a register, and of the services that the
// engine offers (vprintf, malloc, free, __assertfail, and Clang's handlers of signed overflow).
//
// A callee gets %lsp, the free part of local memory, and a pointer for each parameter and return value
// (simt/dialect.h). A .param variable is an alloca already; a register or constant goes through a
// temporary one. Inlining and SROA leave nothing of them.
//
// What a function's address is, ptx/layout.h says: a number that a switch can take apart.
#include <fmt/format.h>

#include "ptx/signed_overflow.h"
#include "simt/instrument/events.h"
#include "simt/instrument/lower_checks.h"
#include "simt/lower/control.h"
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Operand;
using ptx::Space;
using ptx::SymbolRef;
using ptx::Type;
using Kind = ptx::Operand::Kind;

namespace {

// One argument or return value of a call: where it lies, and what must be written back.
struct Argument {
  llvm::Value* pointer = nullptr;
  llvm::Type* type = nullptr;           // of a temporary
  const Operand* write_back = nullptr;  // the register a return value goes to
};

bool is_param_variable(FunctionLowering& f, const Operand& operand) {
  return operand.is(Kind::Symbol) && operand.symbol.kind == SymbolRef::Kind::FunctionVariable &&
         f.param_variables[operand.symbol.index];
}

Argument argument(Emit& e, const Operand& operand, const ptx::Parameter& parameter, bool is_return) {
  FunctionLowering& f = e.function();
  if (is_param_variable(f, operand)) return {f.param_variables[operand.symbol.index], nullptr, nullptr};
  llvm::Type* type = e.llvm_type(parameter.type);
  llvm::AllocaInst* temporary = f.entry_alloca(type, "argument");
  if (is_return) return {temporary, type, &operand};
  e.ir.CreateStore(e.escape(e.in(operand, parameter.type)).get(), temporary);
  return {temporary, type, nullptr};
}

// The lists of a call instruction: (returns), callee, (arguments), prototype or targets.
const std::vector<Operand>& list(const Operand& operand) {
  static const std::vector<Operand> kEmpty;
  return operand.is(Kind::List) ? operand.elements : kEmpty;
}

struct Call {
  const std::vector<Operand>& returns;
  const Operand& callee;
  const std::vector<Operand>& arguments;
  const Operand* prototype;
};
Call call_of(const ptx::Instruction& inst) {
  return {list(inst.operands[0]), inst.operands[1], list(inst.operands[2]),
          inst.operands.size() > 3 ? &inst.operands[3] : nullptr};
}

// --- services ---

// The value of an argument that is a .param variable, as its declared type says, or of any operand.
Value service_argument(Emit& e, const Operand& operand, Type type) {
  FunctionLowering& f = e.function();
  if (!is_param_variable(f, operand)) return e.in(operand, type);
  return Value(e.ir, e.ir.CreateLoad(e.llvm_type(type), f.param_variables[operand.symbol.index]));
}
void service_result(Emit& e, const std::vector<Operand>& returns, Value v) {
  if (returns.empty()) return;
  FunctionLowering& f = e.function();
  if (!is_param_variable(f, returns[0])) return e.out(returns[0], v);
  e.ir.CreateStore(v.get(), f.param_variables[returns[0].symbol.index]);
}

void call_service(Emit& e, std::string_view name, const Call& call) {
  auto in = [&](unsigned k, Type type) { return service_argument(e, call.arguments[k], type); };
  if (ptx::overflow_told_by(name)) {
    if (e.function().module.watch & kWatchNumbers)
      report_signed_overflow(e, in(1, Type::B64), call.arguments.size() > 2 ? in(2, Type::B64) : e.i64(0));
  } else if (name == "vprintf") {
    service_result(e, call.returns, e.call(Dialect::Vprintf, in(0, Type::B64), in(1, Type::B64)));
  } else if (name == "malloc") {
    service_result(e, call.returns, e.call(Dialect::Malloc, in(0, Type::B64)));
  } else if (name == "free") {
    e.call(Dialect::Free, in(0, Type::B64));
  } else {  // __assertfail(message, file, line, function, char size)
    e.call(Dialect::AssertFail, in(0, Type::B64), in(1, Type::B64), in(2, Type::B32), in(3, Type::B64));
  }
}

constexpr std::string_view kNamedServices[] = {"vprintf", "malloc", "free", "__assertfail"};

// --- functions ---

struct Pointers {
  llvm::SmallVector<llvm::Value*> values;  // %lsp and what follows
  llvm::SmallVector<Argument> write_back;
};

Pointers pass(Emit& e, const Call& call, const std::vector<ptx::Parameter>& parameters,
              const std::vector<ptx::Parameter>& returns) {
  Pointers pointers;
  pointers.values.push_back(e.function().free_local().get());
  for (size_t k = 0; k < parameters.size(); ++k) {
    pointers.values.push_back(argument(e, call.arguments[k], parameters[k], false).pointer);
  }
  for (size_t k = 0; k < returns.size(); ++k) {
    Argument result = argument(e, call.returns[k], returns[k], true);
    pointers.values.push_back(result.pointer);
    if (result.write_back) pointers.write_back.push_back(result);
  }
  return pointers;
}

void write_back(Emit& e, const Pointers& pointers) {
  for (const Argument& result : pointers.write_back) {
    e.out(*result.write_back, Value(e.ir, e.ir.CreateLoad(result.type, result.pointer)));
  }
}

bool same_shape(const std::vector<ptx::Parameter>& a, const std::vector<ptx::Parameter>& b) {
  if (a.size() != b.size()) return false;
  for (size_t k = 0; k < a.size(); ++k) {
    if (a[k].size != b[k].size) return false;
  }
  return true;
}

// Through a register: a switch over all functions the pointer can mean. Any other address traps, as a
// jump to nowhere does.
void call_indirect(Emit& e, const Call& call, const ptx::Prototype& prototype) {
  FunctionLowering& f = e.function();
  Value address = e.in(call.callee, Type::U64);
  Pointers pointers = pass(e, call, prototype.parameters, prototype.returns);
  llvm::BasicBlock* wild = e.new_block("wild_call");
  llvm::BasicBlock* done = e.new_block("called");
  auto* choice = e.ir.CreateSwitch(address.get(), wild);
  for (uint32_t k = 0; k < f.module.functions.size(); ++k) {
    const ptx::Function& candidate = f.module.ptx.functions[k];
    if (!f.module.functions[k] || candidate.is_entry) continue;
    if (!same_shape(candidate.parameters, prototype.parameters)) continue;
    if (!same_shape(candidate.returns, prototype.returns)) continue;
    llvm::BasicBlock* target = e.new_block("call");
    choice->addCase(e.ir.getInt64(ptx::function_address(k)), target);
    e.ir.SetInsertPoint(target);
    e.ir.CreateCall(f.module.functions[k], pointers.values);
    e.ir.CreateBr(done);
  }
  e.ir.SetInsertPoint(wild);
  e.call(Dialect::Trap);
  e.ir.CreateBr(done);
  e.ir.SetInsertPoint(done);
  write_back(e, pointers);
}

// The shape of an indirect call: its .callprototype, or that of the first of its .calltargets.
ptx::Prototype prototype_of(Emit& e, const Operand* operand) {
  FunctionLowering& f = e.function();
  if (operand && operand->is(Kind::Symbol)) {
    if (operand->symbol.kind == SymbolRef::Kind::Prototype) return f.ptx.prototypes[operand->symbol.index];
    if (operand->symbol.kind == SymbolRef::Kind::Label) {
      const ptx::Label& targets = f.ptx.labels[operand->symbol.index];
      if (!targets.targets.empty()) {
        const ptx::Function& first = f.module.ptx.functions[targets.targets[0].index];
        return {first.name, first.parameters, first.returns, first.noreturn};
      }
    }
  }
  e.unsupported("a call through a register without a prototype");
  return {};
}

}  // namespace

bool is_service(const ptx::Function& function) {
  if (!function.is_declaration) return false;
  for (std::string_view name : kNamedServices) {
    if (function.name == name) return true;
  }
  return ptx::overflow_told_by(function.name).has_value();
}

void lower_call(Emit& e) {
  FunctionLowering& f = e.function();
  Call call = call_of(*e.inst);
  bool by_name = call.callee.is(Kind::Symbol) && call.callee.symbol.kind == SymbolRef::Kind::Function;
  if (!by_name) {
    ptx::Prototype prototype = prototype_of(e, call.prototype);
    if (prototype.parameters.size() == call.arguments.size()) call_indirect(e, call, prototype);
    return;
  }
  const ptx::Function& callee = f.module.ptx.functions[call.callee.symbol.index];
  if (is_service(callee)) return call_service(e, callee.name, call);
  Pointers pointers = pass(e, call, callee.parameters, callee.returns);
  e.ir.CreateCall(f.module.functions[call.callee.symbol.index], pointers.values);
  write_back(e, pointers);
}

}  // namespace warpwise::simt
