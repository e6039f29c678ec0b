// The table itself: the meaning of its patterns, and that it lists nothing twice or without use.
#include "ptx/isa/isa.h"

#include <gtest/gtest.h>

#include <set>

#include "ptx/isa/match.h"

namespace warpwise::ptx {
namespace {

TEST(Isa, a_pattern_becomes_slots) {
  const Spec& fma = spec_of(Op::fma_f32);
  EXPECT_EQ(fma.opcode, "fma");
  ASSERT_EQ(fma.mods.size(), 4u);
  EXPECT_EQ(fma.mods[0].name, "rnd");
  EXPECT_EQ(fma.mods[0].cls, ModClass::Rounding);
  EXPECT_TRUE(fma.mods[0].allows(Mod::Rz));
  EXPECT_FALSE(fma.mods[0].allows(Mod::Rni));
  EXPECT_FALSE(fma.mods[0].optional);
  EXPECT_TRUE(fma.mods[1].optional);
  ASSERT_EQ(fma.operands.size(), 4u);
  EXPECT_TRUE(fma.operands[0].written);
  EXPECT_FALSE(fma.operands[1].written);
}

TEST(Isa, operand_notation) {
  const Spec& setp = spec_of(Op::setp_f32);
  EXPECT_TRUE(setp.operands[0].pair_optional);
  EXPECT_EQ(setp.operands[0].type, Type::Pred);
  EXPECT_TRUE(setp.operands[3].negatable);
  EXPECT_EQ(setp.operands[3].only_with, setp.slot("boolop"));
  EXPECT_EQ(spec_of(Op::mul_wide).operands[0].rule, TypeRule::Wide);
  EXPECT_EQ(spec_of(Op::ld).operands[1].form, OperandForm::Address);
  EXPECT_TRUE(spec_of(Op::min_f32).mods[3].tied);  // {.xorsign.abs}
}

TEST(Isa, names_and_texts_are_unique) {
  std::set<std::string_view> names, texts, specials;
  for (const Spec& spec : all_specs()) EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
  for (unsigned i = 1; i < 2000 && !text_of(static_cast<Mod>(i)).empty(); ++i) {
    std::string_view text = text_of(static_cast<Mod>(i));
    EXPECT_TRUE(texts.insert(text).second) << text;
    EXPECT_EQ(find_mod(text), static_cast<Mod>(i));
    if (texts.size() >= static_cast<size_t>(Mod::MemoryLayout)) break;  // the last one of the list
  }
  EXPECT_EQ(find_special_register("%tid"), SpecialRegister::Tid);
  EXPECT_EQ(find_special_register("%pm7_64"), SpecialRegister::Pm7_64);
  EXPECT_EQ(find_special_register("%nothing"), SpecialRegister::None);
}

TEST(Isa, types_are_modifiers) {
  EXPECT_EQ(type_of(Mod::BF16x2), Type::BF16x2);
  EXPECT_EQ(type_of(Mod::Ftz), Type::None);
  EXPECT_EQ(find_type("e4m3x2"), Type::E4M3x2);
  EXPECT_EQ(find_type("ftz"), std::nullopt);
  EXPECT_EQ(bits_of(Type::B128), 128u);
  EXPECT_EQ(bytes_of(Type::Pred), 1u);
}

// Each row can be reached: its own modifiers find it, first or among rows that differ in operands.
TEST(Isa, every_row_is_found_by_its_least_form) {
  for (size_t i = 0; i < all_specs().size(); ++i) {
    const Spec& spec = all_specs()[i];
    std::vector<Mod> mods;
    for (const ModSlot& slot : spec.mods)
      if (!slot.optional && !slot.rest) mods.push_back(slot.allowed[0]);
    bool found = false;
    for (const Match& match : match_modifiers(spec.opcode, mods)) found = found || match.op == static_cast<Op>(i);
    EXPECT_TRUE(found) << spec.name;
  }
}

TEST(Match, order_is_the_rows_however_written) {
  const Mod manual[] = {Mod::Acquire, Mod::Gpu, Mod::Global, Mod::Add, Mod::U32};
  const Mod libcu[] = {Mod::Add, Mod::Acquire, Mod::Gpu, Mod::Global, Mod::U32};
  auto a = match_modifiers("atom", manual), b = match_modifiers("atom", libcu);
  ASSERT_EQ(a.size(), 1u);
  ASSERT_EQ(b.size(), 1u);
  EXPECT_EQ(a[0].op, Op::atom_add_int);
  EXPECT_EQ(a[0].mods, b[0].mods);
}

TEST(Match, types_keep_their_order) {
  const Mod mods[] = {Mod::Rn, Mod::F32, Mod::S32};
  auto found = match_modifiers("cvt", mods);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].op, Op::cvt_f32_int);
  const Mod other[] = {Mod::Rzi, Mod::S32, Mod::F32};
  ASSERT_EQ(match_modifiers("cvt", other).size(), 1u);
  EXPECT_EQ(match_modifiers("cvt", other)[0].op, Op::cvt_int_f32);
}

TEST(Match, types_never_change_places) {
  const Mod mods[] = {Mod::F32, Mod::F64};  // requires a rounding; cvt.f64.f32 does not
  EXPECT_TRUE(match_modifiers("cvt", mods).empty());
}

TEST(Match, tied_modifiers_come_together) {
  const Mod both[] = {Mod::XorSign, Mod::Abs, Mod::F32}, one[] = {Mod::XorSign, Mod::F32};
  EXPECT_FALSE(match_modifiers("min", both).empty());
  EXPECT_TRUE(match_modifiers("min", one).empty());
}

TEST(Match, explains_what_has_no_place) {
  const Mod mods[] = {Mod::Ftz, Mod::F64};
  Mismatch why = explain_mismatch("add", mods);
  EXPECT_EQ(why.nearest, Op::add_f64);
  EXPECT_EQ(why.unplaced, 0);
  const Mod bare[] = {Mod::F32};
  why = explain_mismatch("fma", bare);
  EXPECT_EQ(why.nearest, Op::fma_f32);
  EXPECT_EQ(why.missing, 0);
}

}  // namespace
}  // namespace warpwise::ptx
