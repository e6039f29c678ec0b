#include "perf/counters/instruction_class.h"

#include <string_view>

#include "perf/counters/chains.h"
#include "perf/counters/one_of.h"
#include "ptx/shapes/matrix.h"
#include "ptx/shapes/wgmma.h"

namespace warpwise::perf {

using ptx::Instruction;
using ptx::Unit;

namespace {

constexpr InstructionClass kNothing{.counted = false, .pipe = {}, .lane_op = {}, .tensor_op = {}, .step = Step::None};

InstructionClass on(Counter pipe, Step step, std::optional<Counter> lane_op = {}, unsigned times = 1) {
  InstructionClass result;
  result.pipe = pipe, result.step = step, result.lane_op = lane_op, result.ops_per_lane = uint8_t(times);
  return result;
}

// add, mul and fma of a type, by opcode; nothing: another operation.
std::optional<Counter> arithmetic(std::string_view opcode, Counter add, Counter mul, Counter fma) {
  if (opcode == "add" || opcode == "sub") return add;
  if (opcode == "mul") return mul;
  if (opcode == "fma" || opcode == "mad") return fma;
  return std::nullopt;
}

// A mov is an instruction only where it reads a special register.
bool reads_special(const Instruction& i) {
  return i.operands.size() > 1 && i.operands[1].is(ptx::Operand::Kind::Special);
}

InstructionClass convert(const Instruction& i) {
  const std::string_view row = i.spec().name;
  const ptx::Type to = i.type(0), from = i.type(1);
  // Integers: a wider register, or a part of one.
  if (row == "cvt_int_int" && ptx::bits_of(to) >= 32 && ptx::bits_of(from) >= 32) {
    const bool sign = ptx::is_signed(from) && ptx::bits_of(to) > ptx::bits_of(from);
    return sign ? on(Counter::PipeAlu, Step::Fma, Counter::Conversions) : kNothing;
  }
  // I2FP, since 8.6: of 32 bits, or of fewer without a sign.
  if (row == "cvt_f32_int" && (ptx::bits_of(from) == 32 || (ptx::bits_of(from) < 32 && !ptx::is_signed(from))))
    return on(Counter::PipeAlu, Step::Fma, Counter::Conversions);
  const bool wide = ptx::bits_of(to) == 64 || ptx::bits_of(from) == 64;
  const bool changes_kind = ptx::is_float(to) != ptx::is_float(from);
  if (wide || changes_kind) return on(Counter::PipeXu, Step::Xu, Counter::Conversions);
  return on(Counter::PipeAlu, Step::Fma, Counter::Conversions);
}

InstructionClass of_alu(const Instruction& i) {
  const std::string_view opcode = i.spec().opcode, row = i.spec().name;
  // S2R takes as long as a load of shared memory; the clock is read by CS2R.
  if (opcode == "mov")
    return !reads_special(i) ? kNothing : on(Counter::PipeAlu, reads_clock(i) ? Step::Fma : Step::Shared);
  if (is_one_of(opcode, {"cvta", "isspacep", "mapa", "getctarank", "istypep", "createpolicy", "pmevent", "stacksave",
                         "stackrestore", "alloca", "nanosleep"}))
    return kNothing;
  if (opcode == "cvt") return convert(i);
  if (is_one_of(opcode, {"mul", "mad", "mul24", "mad24", "madc", "dp4a", "dp2a"}))
    return on(Counter::PipeFma, Step::Fma, Counter::IntegerOps);
  if (is_one_of(opcode, {"popc", "clz", "bfind", "brev", "fns", "div", "rem"}))
    return on(Counter::PipeXu, Step::Xu, Counter::IntegerOps);
  if (is_one_of(opcode, {"match", "redux"})) return on(Counter::PipeXu, Step::Shared);
  if (is_one_of(opcode, {"vote", "activemask", "elect"})) return on(Counter::PipeAlu, Step::Fma);
  const bool of_floats = row.ends_with("_f32") || row == "testp" || row == "copysign";
  return on(Counter::PipeAlu, Step::Fma, of_floats ? std::nullopt : std::optional(Counter::IntegerOps));
}

InstructionClass of_fp32(const Instruction& i) {
  const std::string_view opcode = i.spec().opcode;
  const unsigned pair = i.spec().name.ends_with("x2") ? 2 : 1;
  if (auto op = arithmetic(opcode, Counter::Fadd, Counter::Fmul, Counter::Ffma))
    return on(Counter::PipeFma, Step::Fma, op, pair);
  if (is_one_of(opcode, {"abs", "neg"})) return on(Counter::PipeAlu, Step::Fma);
  return on(Counter::PipeXu, Step::Xu, Counter::SpecialFunctions);  // quotients and roots
}

InstructionClass of_fp64(const Instruction& i) {
  const std::string_view opcode = i.spec().opcode;
  if (opcode == "cvt") return convert(i);
  if (auto op = arithmetic(opcode, Counter::Dadd, Counter::Dmul, Counter::Dfma))
    return on(Counter::PipeFp64, Step::Fp64, op);
  if (is_one_of(opcode, {"div", "rcp", "sqrt"})) return on(Counter::PipeFp64, Step::Fp64, Counter::SpecialFunctions);
  return on(Counter::PipeFp64, Step::Fp64);
}

InstructionClass of_half(const Instruction& i) {
  const std::string_view row = i.spec().name;
  const unsigned pair = row.find("x2") != std::string_view::npos ? 2 : 1;
  if (i.spec().opcode == "cvt") return on(Counter::PipeAlu, Step::Fma, Counter::Conversions);
  return on(Counter::PipeFp16, Step::Fma, arithmetic(i.spec().opcode, Counter::Hadd, Counter::Hmul, Counter::Hfma),
            pair);
}

InstructionClass of_tensor(const Instruction& i) {
  const std::string_view opcode = i.spec().opcode, row = i.spec().name;
  if (is_one_of(opcode, {"ldmatrix", "stmatrix", "movmatrix"}) || row == "wmma_load" || row == "wmma_store")
    return on(Counter::PipeLsu, Step::Shared);
  InstructionClass result = on(Counter::PipeTensor, Step::Tensor);
  if (ptx::is_matrix_product(i.op)) {
    if (auto form = ptx::matrix_form(i)) {
      const numerics::Product& p = form->product;
      result.tensor_op = tensor_counter(p.a);
      result.ops_per_warp = uint64_t{2} * p.m * p.n * p.k;
    }
    return result;
  }
  if (row.starts_with("wgmma_") && i.spec().state == ptx::State::Executed &&
      !is_one_of(row, {"wgmma_fence", "wgmma_commit_group", "wgmma_wait_group"})) {
    const numerics::WgmmaForm form = ptx::wgmma_form(i);
    constexpr uint64_t kRowsOfWarp = 16;
    result.tensor_op = tensor_counter(form.a);
    result.ops_per_warp = 2 * kRowsOfWarp * form.n * form.k();
    result.of_warpgroup = true;
    return result;
  }
  return on(Counter::PipeUniform, Step::None);
}

InstructionClass of_lsu(const Instruction& i) {
  const std::string_view opcode = i.spec().opcode, row = i.spec().name;
  if (row == "ld_param" || row == "st_param") return kNothing;
  if (is_one_of(opcode, {"prefetch", "prefetchu", "applypriority", "discard"})) return on(Counter::PipeLsu, Step::None);
  if (opcode == "st" || opcode == "red") return on(Counter::PipeLsu, Step::None);
  if (opcode == "shfl") return on(Counter::PipeLsu, Step::Shared);
  const ptx::Space space = row == "ld_nc" ? ptx::Space::Global : i.space();
  if (opcode == "atom") return on(Counter::PipeLsu, space == ptx::Space::Shared ? Step::Shared : Step::Atomic);
  const bool near = space == ptx::Space::Shared || row == "ld_const";
  return on(Counter::PipeLsu, near ? Step::Shared : Step::Global);
}

}  // namespace

Counter tensor_counter(numerics::Element element) {
  using numerics::Element;
  switch (element) {
    case Element::F16:
    case Element::BF16:
      return Counter::TensorF16Ops;
    case Element::TF32:
      return Counter::TensorTf32Ops;
    case Element::F64:
      return Counter::TensorF64Ops;
    case Element::S8:
    case Element::U8:
    case Element::S4:
    case Element::U4:
    case Element::B1:
      return Counter::TensorIntOps;
    default:
      return Counter::TensorF8Ops;
  }
}

InstructionClass classify(const Instruction& i) {
  const std::string_view opcode = i.spec().opcode;
  // The table files these with the pipe that does their addresses.
  if (is_one_of(opcode,
                {"ld", "ldu", "st", "atom", "red", "shfl", "prefetch", "prefetchu", "applypriority", "discard"}) &&
      i.spec().unit != Unit::Async)
    return of_lsu(i);
  if (opcode == "createpolicy" || opcode == "pmevent") return kNothing;
  switch (i.spec().unit) {
    case Unit::Alu:
      return of_alu(i);
    case Unit::Fp32:
      return of_fp32(i);
    case Unit::Fp64:
      return of_fp64(i);
    case Unit::Half:
      return of_half(i);
    case Unit::Sfu:
      return on(Counter::PipeXu, Step::Xu, Counter::SpecialFunctions);
    case Unit::Lsu:
      return of_lsu(i);
    case Unit::Tensor:
      return of_tensor(i);
    case Unit::Texture:
      return on(Counter::PipeTex, Step::Global);
    case Unit::Branch:
      return on(Counter::PipeCbu, Step::None);
    case Unit::Sync: {
      if (i.spec().name == "bar_warp_sync") return on(Counter::PipeCbu, Step::None);
      const bool waits =
          is_one_of(opcode, {"bar", "barrier"}) && i.spec().name.find("arrive") == std::string_view::npos;
      return on(Counter::PipeAdu, waits ? Step::Barrier : Step::None);
    }
    case Unit::Async:
      if (i.spec().name == "cp_async") return on(Counter::PipeLsu, Step::None);
      if (is_one_of(i.spec().name, {"cp_async_wait_group", "cp_async_wait_all"}))
        return on(Counter::PipeCbu, Step::Global);
      if (i.spec().name.starts_with("cp_async_bulk") || opcode == "mbarrier")
        return on(Counter::PipeUniform, Step::None);
      return on(Counter::PipeCbu, Step::None);
    case Unit::Uniform:
      return on(Counter::PipeUniform, Step::None);
    case Unit::None:
      break;
  }
  return kNothing;
}

}  // namespace warpwise::perf
