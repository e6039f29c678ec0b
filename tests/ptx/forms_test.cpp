// Every row of the table has a form that parses to that row, verifies, prints and parses again.
#include "ptx/shapes/forms.h"

#include <gtest/gtest.h>

#include <set>

#include "ptx_files.h"

namespace warpwise::ptx {
namespace {

// The rows the instructions of a module are.
std::set<Op> rows_of(const Module& module) {
  std::set<Op> rows;
  for (const Function& f : module.functions)
    for (const Instruction& i : f.instructions) rows.insert(i.op);
  return rows;
}

std::string_view target_of(const Spec& spec) {
  if (spec.name == "mad_f32_legacy") return "sm_13";
  if (spec.name.ends_with("_legacy")) return "sm_60";  // no .sync
  return spec.sm > 90 ? "sm_100a" : "sm_90a";
}

TEST(Forms, generated_forms_mean_their_row_and_survive_printing) {
  size_t loaded = 0;
  for (size_t i = 0; i < all_specs().size(); ++i) {
    Op op = static_cast<Op>(i);
    size_t good = 0;
    std::vector<Form> forms = forms_of(op);
    for (const Form& form : forms) {
      Diagnostics diagnostics;
      auto module = load_text(module_around(form.text + "\n", 90, target_of(spec_of(op))), diagnostics);
      if (!module) continue;  // a rule beyond the pattern; ptxas_test checks that ptxas agrees
      EXPECT_TRUE(rows_of(*module).count(op)) << spec_of(op).name << ": " << form.text;
      expect_round_trip(*module, form.text);
      ++good;
    }
    loaded += good;
    EXPECT_TRUE(forms.empty() || good > 0) << spec_of(op).name;
  }
  EXPECT_GT(loaded, 2000u);
}

TEST(Forms, rows_with_open_operands_have_a_sample) {
  std::set<Op> seen;
  for (const char* file : {"forms/recognised.ptx", "forms/wgmma.ptx", "forms/matrix_scaled.ptx", "forms/tcgen05.ptx",
                           "forms/tcgen05_sm103.ptx"}) {
    Diagnostics diagnostics;
    auto module = load_file(file, diagnostics);
    ASSERT_TRUE(module) << render_text(diagnostics, false);
    seen.merge(rows_of(*module));
    expect_round_trip(*module, file);
  }
  for (size_t i = 0; i < all_specs().size(); ++i) {
    Op op = static_cast<Op>(i);
    EXPECT_TRUE(!forms_of(op).empty() || seen.count(op)) << spec_of(op).name;
  }
}

}  // namespace
}  // namespace warpwise::ptx
