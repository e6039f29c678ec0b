// Every form of every Executed row lowers to IR that LLVM's verifier accepts; every Recognised one is
// refused with P0900.
#include "ptx/shapes/forms.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "ptx/parse/parser.h"
#include "scalar_jit.h"

namespace warpwise::simt::test {
namespace {

// Forms may break a rule that patterns do not express; those are not ours.
bool is_legal(const std::string& text) {
  Diagnostics diagnostics;
  return ptx::load(std::make_shared<SourceText>("test.ptx", text), diagnostics).has_value();
}

TEST(Forms, EveryExecutedFormLowers) {
  size_t lowered = 0;
  for (const ptx::Spec& spec : ptx::all_specs()) {
    auto op = static_cast<ptx::Op>(&spec - ptx::all_specs().data());
    bool executed = spec.state == ptx::State::Executed;
    for (const ptx::Form& form : ptx::forms_of(op)) {
      std::string text = ptx::module_around(form.text, 90, "sm_100a");
      if (!is_legal(text)) continue;
      Error error = Kernel::try_lower(text);
      ASSERT_EQ(error.code, executed ? "" : "P0900") << form.text << "\n" << error.message;
      ++lowered;
    }
  }
  std::printf("%zu forms\n", lowered);
  EXPECT_GT(lowered, 1500u);
}

// Predicated forms: pure ones become selects, the others get a branch.
TEST(Forms, EveryFormLowersUnderAGuard) {
  for (const ptx::Spec& spec : ptx::all_specs()) {
    if (spec.state != ptx::State::Executed) continue;
    std::vector<ptx::Form> forms = ptx::forms_of(static_cast<ptx::Op>(&spec - ptx::all_specs().data()));
    if (forms.empty()) continue;
    std::string text = ptx::module_around("@%p1 " + forms.front().text, 90, "sm_100a");
    if (!is_legal(text)) continue;
    Error error = Kernel::try_lower(text);
    ASSERT_EQ(error.code, "") << forms.front().text << "\n" << error.message;
  }
}

}  // namespace
}  // namespace warpwise::simt::test
