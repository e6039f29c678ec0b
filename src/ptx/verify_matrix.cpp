#include "ptx/verify_matrix.h"

#include <algorithm>

#include <fmt/format.h>

#include "ptx/matrix.h"

namespace warpwise::ptx {
namespace {

using Kind = Operand::Kind;

class MatrixVerifier {
 public:
  MatrixVerifier(OperandContext& context, const Instruction& i) : context_(context), i_(i) {}

  void verify() {
    switch (i_.op) {
      case Op::wmma_load: verify_fragment(0); break;
      case Op::wmma_store: verify_fragment(1); break;
      case Op::ldmatrix: verify_registers(0, rows_of_matrices(), Type::B32); break;
      case Op::stmatrix: verify_registers(1, rows_of_matrices(), Type::B32); break;
      default: verify_product(); break;
    }
  }

 private:
  unsigned rows_of_matrices() const { return i_.has(Mod::X4) ? 4 : i_.has(Mod::X2) ? 2 : 1; }

  void verify_product() {
    std::string why;
    std::optional<MatrixForm> form = matrix_form(i_, &why);
    if (!form) return refuse(why);
    if (!new_enough(form->ptx_version, form->sm)) return;
    const unsigned counts[] = {form->d_registers, form->a_registers, form->b_registers, form->c_registers};
    for (unsigned n = 0; n < 4; ++n)
      if (!verify_registers(n, counts[n], register_type(form->product, "dabc"[n]))) return;
  }

  void verify_fragment(unsigned operand) {
    std::string why;
    std::optional<FragmentForm> form = fragment_form(i_, &why);
    if (!form) return refuse(why);
    if (new_enough(form->ptx_version, form->sm)) verify_registers(operand, form->registers, register_type(form->product, form->operand));
  }

  void refuse(const std::string& why) { context_.error("P0203", i_.span, fmt::format("`{}`: {}", opcode_text(i_), why)); }

  bool new_enough(unsigned version, unsigned sm) {
    if (context_.module.version >= version && context_.module.sm >= sm) return true;
    context_.error("P0208", i_.span, fmt::format("`{}` needs `.version {}.{}` and sm_{}", opcode_text(i_), version / 10, version % 10, sm));
    return false;
  }

  bool verify_registers(unsigned index, unsigned count, Type type) {
    const Operand& o = i_.operands[index];
    const std::string_view name = i_.spec().operands[index].name;
    if (!o.is(Kind::Vector) || o.elements.size() != count) {
      context_.error("P0210", o.span.empty() ? i_.span : o.span,
                     fmt::format("`{}` wants {} register{} in braces as `{}`", opcode_text(i_), count, count == 1 ? "" : "s", name));
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

bool is_matrix_instruction(Op op) {
  return is_matrix_product(op) || op == Op::wmma_load || op == Op::wmma_store || op == Op::ldmatrix || op == Op::stmatrix;
}

void verify_matrix(OperandContext& context, const Instruction& instruction) { MatrixVerifier(context, instruction).verify(); }

}  // namespace warpwise::ptx
