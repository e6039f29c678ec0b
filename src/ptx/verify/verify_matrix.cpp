#include "ptx/verify/verify_matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "ptx/shapes/matrix.h"

namespace warpwise::ptx {
namespace {

using Kind = Operand::Kind;

class MatrixVerifier {
 public:
  MatrixVerifier(OperandContext& context, const Instruction& i) : context_(context), i_(i) {}

  void verify() {
    switch (i_.op) {
      case Op::wmma_load:
        verify_fragment(0);
        break;
      case Op::wmma_store:
        verify_fragment(1);
        break;
      default:
        if (const auto moved = moved_matrices(i_))
          verify_registers(i_.spec().opcode == "ldmatrix" ? 0 : 1, moved->registers, Type::B32);
        else
          verify_product();
    }
  }

 private:
  void verify_product() {
    std::string why;
    std::optional<MatrixForm> form = matrix_form(i_, &why);
    if (!form) return refuse(why);
    if (!new_enough(form->ptx_version, form->sm)) return;
    const unsigned counts[] = {form->d_registers, form->a_registers, form->b_registers, form->c_registers};
    for (unsigned n = 0; n < 4; ++n)
      if (!verify_registers(n, counts[n], register_type(form->product, "dabc"[n]))) return;
    if (form->product.scale_vectors == 0) return;
    const unsigned first = scale_operand(form->product);
    // {byte, thread}: the first byte of the scale word, and the threads of a quad that hold the words (9.7.14.3, table
    // 37).
    const unsigned bytes = form->product.scale_vectors;
    if (verify_selector(first + 1, bytes, 2)) verify_selector(first + 3, bytes, 4);
  }

  bool verify_selector(unsigned index, unsigned bytes, unsigned threads) {
    const Operand& o = i_.operands[index];
    if (!o.is(Kind::Vector) || o.elements.size() != 2) {
      context_.error("P0210", o.span.empty() ? i_.span : o.span,
                     fmt::format("`{}` needs a byte and a thread in braces as `{}`", opcode_text(i_),
                                 i_.spec().operands[index].name));
      return false;
    }
    for (unsigned n = 0; n < 2; ++n) {
      const Operand& e = o.elements[n];
      if (e.is(Kind::Register)) {
        if (!verify_type(context_, i_, e, Type::U16, false)) return false;
        continue;
      }
      const bool right = e.is(Kind::Immediate) && (n == 0 ? e.bits < 4 && e.bits % bytes == 0 : e.bits < threads);
      if (right) continue;
      context_.error("P0205", e.span.empty() ? i_.span : e.span,
                     n == 0 ? fmt::format("the first byte of {} is {} here", bytes == 1 ? "a scale" : "scales",
                                          bytes == 1   ? "0 to 3"
                                          : bytes == 2 ? "0 or 2"
                                                       : "0")
                            : fmt::format("the threads that have scales are numbered 0 to {} here", threads - 1));
      return false;
    }
    return true;
  }

  void verify_fragment(unsigned operand) {
    std::string why;
    std::optional<FragmentForm> form = fragment_form(i_, &why);
    if (!form) return refuse(why);
    if (new_enough(form->ptx_version, form->sm))
      verify_registers(operand, form->registers, register_type(form->product, form->operand));
  }

  void refuse(const std::string& why) {
    context_.error("P0203", i_.span, fmt::format("`{}`: {}", opcode_text(i_), why));
  }

  bool new_enough(unsigned version, unsigned sm) {
    if (context_.module.version >= version && context_.module.sm >= sm) return true;
    context_.error(
        "P0208", i_.span,
        fmt::format("`{}` needs `.version {}.{}` and sm_{}", opcode_text(i_), version / 10, version % 10, sm));
    return false;
  }

  bool verify_registers(unsigned index, unsigned count, Type type) {
    const Operand& o = i_.operands[index];
    const std::string_view name = i_.spec().operands[index].name;
    if (!o.is(Kind::Vector) || o.elements.size() != count) {
      context_.error("P0210", o.span.empty() ? i_.span : o.span,
                     fmt::format("`{}` needs {} register{} in braces as `{}`", opcode_text(i_), count,
                                 count == 1 ? "" : "s", name));
      return false;
    }
    for (const Operand& e : o.elements) {
      if (!e.is(Kind::Register) || e.negated || !e.selector.empty()) {
        context_.error("P0205", e.span.empty() ? i_.span : e.span, "an element of a fragment is a register");
        return false;
      }
      if (!verify_type(context_, i_, e, type, false)) return false;
    }
    return true;
  }

  OperandContext& context_;
  const Instruction& i_;
};

}  // namespace

bool is_matrix_instruction(const Instruction& i) {
  return is_matrix_product(i.op) || i.op == Op::wmma_load || i.op == Op::wmma_store || moved_matrices(i);
}

void verify_matrix(OperandContext& context, const Instruction& instruction) {
  MatrixVerifier(context, instruction).verify();
}

}  // namespace warpwise::ptx
