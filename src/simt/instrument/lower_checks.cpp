#include "simt/instrument/lower_checks.h"

#include <algorithm>
#include <cmath>

#include "ptx/parameter_address.h"
#include "simt/instrument/events.h"
#include "simt/lower/support/function_lowering.h"
#include "simt/lower/support/rounding.h"

namespace warpwise::simt {

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

}  // namespace

InstructionWatch::InstructionWatch(Emit& e, uint32_t watch) : e_(e) {
  const ptx::Spec& spec = e.inst->spec();
  if (watch & kWatchOrder) {
    auto order = [&](EventKind kind, uint64_t keep, bool open, bool bulk = false) {
      Event what{kind};
      what.strong = open;
      what.block_scope = bulk;
      e.call(Dialect::Event, e.i1(true), e.i32(what.pack()), e.i64(0), e.i64(keep));
    };
    if (spec.name == "cp_async_commit_group") order(EventKind::AsyncCommit, 0, false);
    if (spec.name == "cp_async_wait_group") order(EventKind::AsyncWait, e.operand(0).bits, false);
    if (spec.name == "cp_async_bulk_commit_group") order(EventKind::AsyncCommit, 0, false, true);
    if (spec.name == "cp_async_bulk_wait_group") order(EventKind::AsyncWait, e.operand(0).bits, false, true);
    // Where the copies complete on an mbarrier, threads that wait at it find them complete.
    if (is_one_of(spec.name, {"cp_async_wait_all", "cp_async_mbarrier_arrive"})) order(EventKind::AsyncWait, 0, true);
  }
  if (watch & kWatchAddresses) watch_parameter();
  // The frame is uninitialised again: the next function that is called has its own there.
  const FunctionLowering& function = e.function();
  const uint32_t frame = function.module.layout.frame_bytes[function.index];
  if ((watch & kWatchInitialisation) && spec.opcode == "ret" && !function.ptx.is_entry && frame != 0) {
    const Event what{EventKind::FrameEnds};
    e.call(Dialect::Event, function.guard ? *function.guard : e.i1(true), e.i32(what.pack()), e.function().frame(),
           e.i64(frame));
  }
  if (!(watch & kWatchNumbers)) return;
  const Type type = e.type();
  if (is_one_of(spec.name, {"div_int", "rem_int"})) {
    tell(e.b() == 0, kDivisionByZero);
  } else if (converts_as_cpp_does(e)) {
    tell(!fits(e.in(1, e.type(1)), type), kConversionOverflow);
  } else if (has_nan(type) &&
             is_one_of(spec.opcode, {"add", "sub", "mul", "fma", "mad", "div", "sqrt", "rsqrt", "lg2", "sin", "cos"})) {
    for (unsigned n = 1; n < e.operand_count(); ++n)
      if (!e.operand(n).is(ptx::Operand::Kind::None)) operands_.push_back(e.in(n));
  }
}

// An access with an index to a parameter of the kernel; other addresses are seen in the scalar program, but parameters
// are the engine's.
void InstructionWatch::watch_parameter() {
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
  Event what{EventKind::Parameter};
  what.bytes = static_cast<uint8_t>(bytes);
  e_.call(Dialect::Event, wrong, e_.i32(what.pack()), address, e_.i64(*index));
}

void InstructionWatch::finish() {
  if (operands_.empty()) return;
  Value made = is_nan(e_.in(0));
  for (Value operand : operands_) made = made & !is_nan(operand);
  tell(made, kNanProduced);
}

void InstructionWatch::tell(Value condition, uint8_t which) {
  if (e_.function().guard) condition = condition & *e_.function().guard;
  Event what{EventKind::Number};
  what.bytes = which;
  e_.call(Dialect::Event, condition, e_.i32(what.pack()), e_.i64(0), e_.i64(0));
}

void tell_signed_overflow(Emit& e, Value left, Value right) {
  Event what{EventKind::Number};
  what.bytes = kSignedOverflow;
  e.call(Dialect::Event, e.i1(true), e.i32(what.pack()), left, right);
}

}  // namespace warpwise::simt
