// Verifies one instruction at a time: its row's requirements for operands (verify_operand.cpp), then the rules that a
// pattern cannot express, each beside its section of the manual.
#include "ptx/verify/verifier.h"

#include <fmt/format.h>

#include <algorithm>

#include "ptx/shapes/tcgen05.h"
#include "ptx/shapes/wgmma.h"
#include "ptx/verify/verify_copy.h"
#include "ptx/verify/verify_image.h"
#include "ptx/verify/verify_matrix.h"
#include "ptx/verify/verify_operand.h"

namespace warpwise::ptx {
namespace {

// Modifiers that are newer than some of their rows.
struct ModRule {
  Mod mod;
  unsigned ptx_version, sm;
};
constexpr ModRule kYoungModifiers[] = {
    {Mod::Cluster, 78, 90},     {Mod::SharedCluster, 78, 90}, {Mod::SharedCta, 78, 30},
    {Mod::L2CacheHint, 74, 80}, {Mod::L2Size64, 74, 75},      {Mod::L2Size128, 74, 75},
    {Mod::L2Size256, 74, 80},   {Mod::L1EvictNormal, 74, 70}, {Mod::L1EvictFirst, 74, 70},
    {Mod::L1EvictLast, 74, 70}, {Mod::L1NoAllocate, 74, 70},  {Mod::L1EvictUnchanged, 74, 70},
    {Mod::B128, 83, 70},        {Mod::XorSign, 72, 86},       {Mod::NaN, 70, 80},
    {Mod::V8, 81, 90},          {Mod::ParamEntry, 83, 0},     {Mod::ParamFunc, 83, 0},
    {Mod::CtaGroup1, 86, 100},  {Mod::CtaGroup2, 86, 100},
};

class InstructionVerifier {
 public:
  InstructionVerifier(const Module& module, const Function& function, Diagnostics& diagnostics)
      : context_{module, function, diagnostics}, module_(module), function_(function) {}

  void verify(const Instruction& i) {
    const Spec& row = i.spec();
    if (!check_version(i, row)) return;
    if (i.op == Op::call) {
      check_call(i);
      return;
    }
    for (size_t n = 0; n < row.operands.size(); ++n)
      if (row.operands[n].form == OperandForm::Rest || !verify_operand(context_, i, n)) return;
    check_rules(i);
  }

 private:
  Diagnostic& error(std::string code, Span at, std::string message) {
    return context_.error(std::move(code), at, std::move(message));
  }

  bool check_version(const Instruction& i, const Spec& row) {
    unsigned version = row.ptx_version, sm = row.sm;
    std::string_view what = row.name;
    for (const ModRule& rule : kYoungModifiers)
      if (i.has(rule.mod) && (rule.ptx_version > version || rule.sm > sm))
        version = std::max(version, rule.ptx_version), sm = std::max(sm, rule.sm), what = text_of(rule.mod);
    if (module_.version < version) {
      error("P0208", i.span,
            fmt::format("`{}` needs `.version {}.{}`, the module has {}.{}", opcode_text(i), version / 10, version % 10,
                        module_.version / 10, module_.version % 10));
      return false;
    }
    if (module_.sm < sm) {
      error("P0208", i.span,
            fmt::format("`{}` needs `.target sm_{}` or later, the module has {}", opcode_text(i), sm, module_.target))
          .help = fmt::format("compile with -arch=sm_{} or later", sm);
      return false;
    }
    return true;
  }

  // 9.7.13.6: an argument for each parameter, of its size.
  void check_call(const Instruction& i) {
    const Operand& callee = i.operands[1];
    const std::vector<Parameter>*parameters = nullptr, *returns = nullptr;
    const std::vector<Prototype>& prototypes = function_.prototypes;
    if (callee.is(Operand::Kind::Symbol)) {
      if (callee.symbol.kind != SymbolRef::Kind::Function) {
        error("P0209", callee.span, fmt::format("`{}` is not a function", callee.span));
        return;
      }
      const Function& f = module_.functions[callee.symbol.index];
      if (f.is_entry) {
        error("P0209", callee.span, fmt::format("`{}` is a kernel; only functions are called", f.name));
        return;
      }
      parameters = &f.parameters, returns = &f.returns;
    } else {
      if (!verify_type(context_, i, callee, Type::U64, false)) return;
      const Operand& proto = i.operands[3];
      if (!proto.is(Operand::Kind::Symbol)) {
        error("P0209", callee.span, "a call through a register needs a prototype").help =
            "declare one with `.callprototype` and name it last";
        return;
      }
      if (proto.symbol.kind == SymbolRef::Kind::Prototype) {
        parameters = &prototypes[proto.symbol.index].parameters, returns = &prototypes[proto.symbol.index].returns;
      } else {
        const std::vector<SymbolRef>& targets = function_.labels[proto.symbol.index].targets;
        if (targets.empty() || targets[0].kind != SymbolRef::Kind::Function) {
          error("P0209", proto.span, fmt::format("`{}` is neither a prototype nor a `.calltargets` list", proto.span));
          return;
        }
        const Function& f = module_.functions[targets[0].index];
        parameters = &f.parameters, returns = &f.returns;
      }
    }
    check_arguments(i, i.operands[2], *parameters, "argument");
    check_arguments(i, i.operands[0], *returns, "return value");
  }

  void check_arguments(const Instruction& i, const Operand& list, const std::vector<Parameter>& parameters,
                       std::string_view what) {
    bool variadic = !parameters.empty() && parameters.back().is_array && parameters.back().size == 0;
    size_t given = list.elements.size();
    if (variadic ? given + 1 < parameters.size() : given != parameters.size()) {
      error("P0209", list.span.empty() ? i.span : list.span,
            fmt::format("the function has {} {}{}, {} given", parameters.size(), what,
                        parameters.size() == 1 ? "" : "s", given));
      return;
    }
    for (size_t n = 0; n < std::min(given, parameters.size()); ++n) {
      const Operand& argument = list.elements[n];
      const Parameter& parameter = parameters[n];
      if (argument.is(Operand::Kind::Symbol) && (argument.offset != 0 || argument.indexed)) {
        error("P0209", argument.span, "a variable is passed as a whole");
      } else if (argument.is(Operand::Kind::Symbol)) {
        uint64_t size = context_.size_of(argument.symbol);
        if (size != parameter.size && !(variadic && n + 1 == parameters.size()))
          error("P0209", argument.span.empty() ? list.span : argument.span,
                fmt::format("{} {} has {} bytes, the function needs {}", what, n + 1, size, parameter.size));
      } else if (argument.is(Operand::Kind::Register) && !argument.negated) {
        verify_type(context_, i, argument, parameter.type, true);
      } else if (!argument.is(Operand::Kind::Immediate) && !argument.is(Operand::Kind::Sink)) {
        error("P0209", argument.span, fmt::format("`{}` cannot be passed to a function", argument.span));
      }
    }
  }

  void check_rules(const Instruction& i) {
    if (is_matrix_instruction(i)) verify_matrix(context_, i);
    if (is_tcgen05(i.op) && i.spec().state == State::Executed) {
      if (std::string why = check_tcgen05(i, function_); !why.empty())
        error("P0205", i.span, fmt::format("`{}`: {}", opcode_text(i), why));
      check_group(i);
      if (i.op != Op::tcgen05_alloc && i.op != Op::tcgen05_commit) return;  // all other addresses are of tensor memory
    }
    if (!check_operation(i)) return;
    for (size_t n = 0; n < i.operands.size(); ++n)
      if (i.operands[n].is(Operand::Kind::Address)) {
        if (!check_access(i, i.operands[n], space_of_operand(i, n))) return;
      }
    if (i.spec().unit == Unit::Texture && i.spec().state == State::Executed) {
      verify_image(context_, i);
      return;
    }
    if (i.first_of(ModClass::Vector) != Mod::None) check_vector_width(i);
    check_eviction(i);
  }

  // The rules of single operations. False: one is broken, or the operation has nothing else to be checked.
  bool check_operation(const Instruction& i) {
    if (i.spec().opcode == "multimem") return check_multimem(i);
    if (is_wgmma_product(i)) return check_product(i);
    if (is_asynchronous_copy(i.op)) return verify_copy(context_, i);
    switch (i.op) {
      case Op::mad_f32_legacy:
        if (module_.sm >= 20)
          error("P0203", i.span, "`mad.f32` names its rounding from sm_20 on").help = "write mad.rn.f32";
        return false;
      case Op::cvt_int_int:
        return check_saturation(i), false;
      case Op::bar_sync:
      case Op::bar_arrive:
      case Op::barrier_sync:
      case Op::barrier_arrive:
        return check_barrier(i, i.operands[0], i.operands[1]), false;
      case Op::bar_red:
      case Op::bar_red_popc:
      case Op::barrier_red:
      case Op::barrier_red_popc:
        return check_barrier(i, i.operands[1], i.operands[2]), false;
      case Op::setmaxnreg:
        return check_register_count(i), false;
      case Op::shfl_legacy:
      case Op::vote_legacy:
      case Op::vote_ballot_legacy:
        return check_legacy(i), false;
      case Op::fence_proxy_tensormap_acquire:
        if (i.operands[1].bits != 128) error("P0205", i.operands[1].span, "the size must be 128");
        return true;
      case Op::discard:
      case Op::applypriority:
        return check_line_size(i), false;
      case Op::cvta:
      case Op::cvta_to:
        return check_address_size(i), false;
      case Op::mbarrier_expect_tx:
      case Op::mbarrier_complete_tx:
      case Op::mbarrier_arrive:
      case Op::mbarrier_arrive_no_complete:
      case Op::mbarrier_arrive_drop:
      case Op::mbarrier_arrive_drop_no_complete:
      case Op::mbarrier_test_wait:
      case Op::mbarrier_try_wait:
        return check_mbarrier(i);
      case Op::atom_cas:
        if (i.has(Mod::L2CacheHint) && i.type(0) == Type::B16)
          error("P0203", i.span, "`.L2::cache_hint` does not go with `.b16`");
        return true;
      case Op::vadd:
      case Op::vsub:
      case Op::vabsdiff:
      case Op::vmin:
      case Op::vmax:
      case Op::vshl:
      case Op::vshr:
      case Op::vset:
        return check_secondary(i), false;
      default:
        return true;
    }
  }

  // The others of its family only order products.
  static bool is_wgmma_product(const Instruction& i) { return i.spec().opcode == "wgmma" && i.operands.size() > 1; }

  bool check_product(const Instruction& i) {
    if (std::string why = check_wgmma(i, function_); !why.empty())
      error("P0205", i.span, fmt::format("`{}`: {}", opcode_text(i), why));
    return false;
  }

  // 9.7.16.5: all tcgen05 instructions of a kernel work for single blocks, or all for pairs.
  void check_group(const Instruction& i) {
    if (i.spec().slot("cta_group") < 0 && !i.has(Mod::CtaGroup1)) return;
    const unsigned blocks = tcgen05_blocks(i);
    if (group_ == 0) group_ = blocks;
    if (group_ != blocks)
      error("P0203", i.span,
            fmt::format("`.cta_group::{}` after `.cta_group::{}`: a kernel's `tcgen05` is all of one group", blocks,
                        group_));
  }

  // 9.7.9.21: .sat is allowed only where the destination cannot hold every value of the source.
  void check_saturation(const Instruction& i) {
    if (!i.has(Mod::Sat)) return;
    Type d = i.type(0), a = i.type(1);
    bool holds = is_signed(d) ? (is_signed(a) ? bits_of(d) >= bits_of(a) : bits_of(d) > bits_of(a))
                              : is_unsigned(a) && bits_of(d) >= bits_of(a);
    if (holds)
      error(
          "P0203", i.span,
          fmt::format("`.sat` has no effect and is not allowed: .{} holds every value of .{}", name_of(d), name_of(a)))
          .help = "leave it out";
  }

  // 9.7.9.6, 9.7.13.8: removed for sm_70 and later from PTX ISA 6.4 on.
  void check_legacy(const Instruction& i) {
    if (module_.sm < 70 || module_.version < 64) return;
    error("P0203", i.span, fmt::format("`{}` without `.sync` ended with sm_70", i.spec().opcode)).help =
        fmt::format("write {}.sync and name the lanes that take part", i.spec().opcode);
  }

  // 9.7.13.1: sixteen barriers; threads come in warps.
  void check_barrier(const Instruction&, const Operand& id, const Operand& threads) {
    if (id.is(Operand::Kind::Immediate) && id.bits > 15) error("P0205", id.span, "a block has 16 barriers, 0 to 15");
    if (threads.is(Operand::Kind::Immediate) && (threads.bits % 32 != 0 || threads.bits > 1024 || threads.bits == 0))
      error("P0205", threads.span, "the number of threads at a barrier is a multiple of 32, up to 1024");
  }

  void check_address_size(const Instruction& i) {
    if (i.type(0) == Type::U32) error("P0203", i.span, "addresses have 64 bits in this module").help = "use .u64";
  }

  // 9.7.13.15: an order and a scope come together; the count belongs to .expect_tx; barriers of other
  // blocks return no state.
  bool check_mbarrier(const Instruction& i) {
    bool order = i.first_of(ModClass::Semantics) != Mod::None, scope = i.first_of(ModClass::Scope) != Mod::None;
    std::string why;
    if (order != scope)
      why = "an order such as `.release` and a scope come together";
    else if (i.has(Mod::ExpectTx) && i.operands.size() == 3 && i.operands[2].is(Operand::Kind::None))
      why = "`.expect_tx` needs a count";
    else if ((i.op == Op::mbarrier_test_wait || i.op == Op::mbarrier_try_wait) &&
             !i.operands[2].is(Operand::Kind::Register) && !i.operands[2].is(Operand::Kind::Immediate))
      why = "a phase is a register or constant";
    else if ((i.op == Op::mbarrier_test_wait || i.op == Op::mbarrier_try_wait) &&
             !verify_type(context_, i, i.operands[2], i.has(Mod::Parity) ? Type::U32 : Type::B64, false))
      return false;
    else if (i.has(Mod::SharedCluster) && i.operands[0].is(Operand::Kind::Register))
      why = "with `.shared::cluster` the result must be `_`";
    if (why.empty()) return true;
    error("P0203", i.span, why);
    return false;
  }

  // 9.7.9.14: 4, 8 or 16 bytes at once. An order other than .weak has a scope, and .weak has none. Only sums are kept
  // wider than their type. Numbers of 8 bits come from registers of 8 bits. ptxas accepts a pair of halves with .min
  // and .max in vectors alone.
  bool check_multimem(const Instruction& i) {
    const Mod order = i.first_of(ModClass::Semantics);
    const bool ordered = order != Mod::None && order != Mod::Weak, scope = i.first_of(ModClass::Scope) != Mod::None;
    const bool extreme = i.has(Mod::Min) || i.has(Mod::Max);
    const unsigned bits = bits_of(i.type()) * i.vector_length();
    std::string why;
    if (bits != 32 && bits != 64 && bits != 128)
      why = fmt::format("4, 8 or 16 bytes are moved at once, these are {} bits", bits);
    else if (ordered != scope)
      why = "an order such as `.relaxed` and a scope come together";
    else if ((i.has(Mod::AccF32) || i.has(Mod::AccF16)) && !i.has(Mod::Add))
      why = "`.acc` requires `.add`";
    else if (i.has(Mod::AccF32) && module_.version < 82)
      why = "`.acc::f32` came with PTX ISA 8.2";
    else if (i.op == Op::multimem_red_half && extreme && i.vector_length() == 1)
      why = "`.min` and `.max` of halves are of vectors";
    if (!why.empty()) {
      error("P0203", i.span, fmt::format("`{}`: {}", opcode_text(i), why));
      return false;
    }
    const Operand& data = i.operands[i.operands[0].is(Operand::Kind::Address) ? 1 : 0];
    for (const Operand& o : data.elements)
      if (bytes_of(i.type()) == 1 && o.is(Operand::Kind::Register) && bytes_of(function_.registers[o.reg].type) != 1) {
        error("P0206", o.span, fmt::format("`{}` needs registers of 8 bits", opcode_text(i)));
        return false;
      }
    return true;
  }

  // 9.7.19.5
  void check_register_count(const Instruction& i) {
    uint64_t n = i.operands[0].bits;
    if (n < 24 || n > 256 || n % 8 != 0)
      error("P0205", i.operands[0].span, "the number of registers is a multiple of 8 from 24 to 256");
  }

  // 9.7.9.8: the second level's eviction priority comes with 256-bit accesses.
  void check_eviction(const Instruction& i) {
    int slot = i.spec().slot("level2::evict");
    if (slot < 0 || i.mods[slot] == Mod::None) return;
    if (i.vector_length() * bits_of(i.type(0)) != 256)
      error("P0203", i.span, fmt::format("`.{}` is allowed with .v8.b32 and .v4.b64 only", text_of(i.mods[slot])));
  }

  void check_line_size(const Instruction& i) {
    if (i.operands[1].bits != 128) error("P0205", i.operands[1].span, "the size must be 128");
  }

  // 9.7.17: a secondary operation, or a selector of the destination, needs what the result is combined
  // with or merged into.
  void check_secondary(const Instruction& i) {
    bool wanted = i.first_of(ModClass::AtomicOp) != Mod::None || !i.operands[0].selector.empty();
    if (wanted && i.operands[3].is(Operand::Kind::None))
      error("P0204", i.span, "the last operand is missing: what the result is combined with or merged into");
  }

  // 9.7.9.8, 9.7.9.11: up to 128 bits; 256 from sm_100 on.
  void check_vector_width(const Instruction& i) {
    if (i.spec().unit != Unit::Lsu) return;
    unsigned bits = i.vector_length() * bits_of(i.type(0));
    bool wide = module_.version >= 88 && module_.sm >= 100 && i.space() != Space::Shared && bits_of(i.type(0)) >= 32;
    if (bits > (wide ? 256u : 128u))
      error("P0210", i.span,
            fmt::format("a vector access of {} bits; at most {} are moved at once", bits, wide ? 256 : 128));
  }

  // Copies name two spaces, the target's first.
  static Space space_of_operand(const Instruction& i, size_t operand) {
    if (i.op == Op::prefetchu) return Space::Generic;
    switch (i.op) {
      case Op::cp_async:
      case Op::cp_async_bulk_load:
        return operand == 1 ? Space::Global : Space::Shared;
      case Op::cp_async_bulk_store:
      case Op::cp_async_bulk_store_masked:
      case Op::cp_reduce_async_bulk_add:
      case Op::cp_reduce_async_bulk_min_max:
      case Op::cp_reduce_async_bulk_inc_dec:
      case Op::cp_reduce_async_bulk_logic:
      case Op::cp_reduce_async_bulk_half:
      case Op::tensormap_cp_fenceproxy:
        return operand == 0 ? Space::Global : Space::Shared;
      case Op::cp_async_bulk_tensor_load:
      case Op::cp_async_bulk_tensor_load_im2col:
      case Op::cp_async_bulk_tensor_load_im2col_w:
      case Op::cp_async_bulk_tensor_gather4:
        return operand == 1 ? Space::Generic : Space::Shared;
      case Op::cp_async_bulk_tensor_store:
      case Op::cp_async_bulk_tensor_store_im2col:
      case Op::cp_async_bulk_tensor_scatter4:
      case Op::cp_reduce_async_bulk_tensor:
      case Op::cp_reduce_async_bulk_tensor_im2col:
        return operand == 0 ? Space::Generic : Space::Shared;
      case Op::cp_async_bulk_prefetch_tensor:
      case Op::cp_async_bulk_prefetch_tensor_im2col:
      case Op::cp_async_bulk_prefetch_tensor_im2col_w:
      case Op::cp_async_bulk_prefetch_tensor_gather4:
        return Space::Generic;
      default:
        return i.space();
    }
  }

  // The variable must live in the space that is accessed (5.1), parameters must hold what is read.
  bool check_access(const Instruction& i, const Operand& address, Space space) {
    if (address.base == Operand::Base::None) {
      if (space == Space::Local || i.spec().state == State::Recognised) return true;
      error("P0207", address.span, "a constant address is allowed in `.local` only").help =
          "move the address to a register first";
      return false;
    }
    if (address.base == Operand::Base::Register) {
      unsigned bits = bits_of(function_.registers[address.reg].type);
      if (bits == 64 || (bits >= 16 && space != Space::Generic && space != Space::Global && space != Space::Const))
        return true;
      error("P0206", address.span, fmt::format("addresses of this space have 64 bits, the register has {}", bits));
      return false;
    }
    Space home = context_.space_of(address.symbol);
    if (home == Space::Generic) {
      error("P0205", address.span, "this is not a variable");
      return false;
    }
    if (space != Space::Generic && space != home) {
      error("P0207", address.span,
            fmt::format("the variable is in .{}, `{}` accesses .{}", name_of(home), opcode_text(i), name_of(space)))
          .help = fmt::format("use .{}, or a generic address", name_of(home));
      return false;
    }
    if (home == Space::Param && space == Space::Param) {
      uint64_t size = context_.size_of(address.symbol);
      uint64_t bytes = uint64_t{bytes_of(i.type(0))} * i.vector_length();
      if (address.offset < 0 || static_cast<uint64_t>(address.offset) + bytes > size) {
        error("P0207", address.span,
              fmt::format("bytes {} to {} of a parameter of {} bytes", address.offset,
                          address.offset + static_cast<int64_t>(bytes) - 1, size));
        return false;
      }
    }
    return true;
  }

  OperandContext context_;
  const Module& module_;
  const Function& function_;
  unsigned group_ = 0;  // .cta_group of this function's tcgen05, once there is any
};

}  // namespace

std::string opcode_text(const Instruction& i) {
  std::string out(i.spec().opcode);
  for (Mod mod : i.mods)
    if (mod != Mod::None) out += fmt::format(".{}", text_of(mod));
  return out;
}

bool verify(const Module& module, Diagnostics& diagnostics) {
  size_t before = diagnostics.error_count();
  for (const Function& f : module.functions) {
    InstructionVerifier verifier(module, f, diagnostics);
    for (const Instruction& i : f.instructions) verifier.verify(i);
  }
  return diagnostics.error_count() == before;
}

}  // namespace warpwise::ptx
