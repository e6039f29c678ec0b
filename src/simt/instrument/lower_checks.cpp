#include "simt/instrument/lower_checks.h"

#include <algorithm>
#include <cmath>

#include "ptx/parameter_address.h"
#include "simt/instrument/events.h"
#include "simt/lower/support/function_lowering.h"
#include "simt/lower/support/rounding.h"

namespace warpwise::simt {

using Fault = event::Arithmetic::Fault;
using ptx::Mod;
using ptx::Type;

namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_nan(Type type) { return type == Type::F32 || type == Type::F64; }

// C++ cuts the fraction off, and what is left must fit (ISO C++ [conv.fpint]); other roundings are functions' own.
bool converts_as_cpp_does(const Emit& e) {
  return is_one_of(e.inst->spec().name, {"cvt_int_f32", "cvt_int_f64"}) && e.has(Mod::Rzi);
}

Value fits(Value f, Type type) {
  const unsigned bits = ptx::bits_of(type);
  const double end = std::ldexp(1.0, static_cast<int>(ptx::is_signed(type) ? bits - 1 : bits));
  f = round_to_zero(f);
  return (f >= (ptx::is_signed(type) ? -end : 0.0)) & (f < end);
}

template <class Event>
void report(Emit& e, Value condition, const Event& event, Value address, Value value) {
  e.call(Dialect::Event, condition, e.i32(pack(event)), address, value);
}

}  // namespace

InstructionChecks::InstructionChecks(Emit& e, uint32_t watch) : e_(e) {
  const ptx::Spec& spec = e.inst->spec();
  if (watch & kWatchOrder) {
    using event::AsyncCommit, event::AsyncWait;
    auto order = [&](const auto& event, uint64_t remain = 0) { report(e, e.i1(true), event, e.i64(0), e.i64(remain)); };
    if (spec.name == "cp_async_commit_group") order(AsyncCommit{});
    if (spec.name == "cp_async_wait_group") order(AsyncWait{}, e.operand(0).bits);
    if (spec.name == "cp_async_bulk_commit_group") order(AsyncCommit{.bulk = true});
    if (spec.name == "cp_async_bulk_wait_group") order(AsyncWait{.bulk = true}, e.operand(0).bits);
    // Where the copies complete on an mbarrier, threads that wait at it find them complete.
    if (is_one_of(spec.name, {"cp_async_wait_all", "cp_async_mbarrier_arrive"})) order(AsyncWait{.ungrouped = true});
  }
  if (watch & kWatchAddresses) check_parameter();
  // The frame is uninitialised again: the next function that is called has its own there.
  const FunctionLowering& function = e.function();
  const uint32_t frame = function.module.layout.frame_bytes[function.index];
  if ((watch & kWatchInitialisation) && spec.opcode == "ret" && !function.ptx.is_entry && frame != 0) {
    report(e, function.guard ? *function.guard : e.i1(true), event::FrameEnd{}, e.function().frame(), e.i64(frame));
  }
  if (!(watch & kWatchNumbers)) return;
  const Type type = e.type();
  if (is_one_of(spec.name, {"div_int", "rem_int"})) {
    report_fault(e.b() == 0, Fault::DivisionByZero);
  } else if (converts_as_cpp_does(e)) {
    report_fault(!fits(e.in(1, e.type(1)), type), Fault::ConversionOverflow);
  } else if (has_nan(type) &&
             is_one_of(spec.opcode, {"add", "sub", "mul", "fma", "mad", "div", "sqrt", "rsqrt", "lg2", "sin", "cos"})) {
    for (unsigned n = 1; n < e.operand_count(); ++n)
      if (!e.operand(n).is(ptx::Operand::Kind::None)) operands_.push_back(e.in(n));
  }
}

// An access with an index to a parameter of the kernel; other addresses are seen in the scalar program, but parameters
// are the engine's.
void InstructionChecks::check_parameter() {
  const FunctionLowering& function = e_.function();
  if (e_.inst->spec().opcode != "ld" || e_.inst->space() != ptx::Space::Param || !function.ptx.is_entry) return;
  const auto index = ptx::parameter_of_address(function.ptx, e_.operand(1));
  if (!index) return;
  auto* pointer = llvm::dyn_cast<llvm::IntToPtrInst>(e_.place(1, ptx::Space::Param).pointer);
  if (!pointer) return;
  const ptx::Parameter& parameter = function.ptx.parameters[*index];
  const uint64_t bytes = ptx::bits_of(e_.type()) / 8 * e_.inst->vector_length();
  Value address(e_.ir, pointer->getOperand(0));
  Value wrong = (address & (bytes - 1)) != 0;
  wrong =
      wrong | (parameter.size < bytes ? e_.i1(true) : address - uint64_t{parameter.offset} > parameter.size - bytes);
  if (function.guard) wrong = wrong & *function.guard;
  report(e_, wrong, event::Parameter{static_cast<uint8_t>(bytes)}, address, e_.i64(*index));
}

void InstructionChecks::finish() {
  if (operands_.empty()) return;
  Value made = is_nan(e_.in(0));
  for (Value operand : operands_) made = made & !is_nan(operand);
  report_fault(made, Fault::NanProduced);
}

void InstructionChecks::report_fault(Value condition, Fault fault) {
  if (e_.function().guard) condition = condition & *e_.function().guard;
  report(e_, condition, event::Arithmetic{fault}, e_.i64(0), e_.i64(0));
}

void report_signed_overflow(Emit& e, Value left, Value right) {
  report(e, e.i1(true), event::Arithmetic{Fault::SignedOverflow}, left, right);
}

}  // namespace warpwise::simt
