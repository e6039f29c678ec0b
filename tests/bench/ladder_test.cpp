// ladder.toml, the heads of steps, and what a worker is told.
#include "bench/ladder/ladder.h"

#include <gtest/gtest.h>

#include <cstring>

#include "bench/ladder/step_head.h"
#include "bench/measure/roof.h"
#include "bench/worker/worker_program.h"

namespace warpwise::bench {
namespace {

constexpr const char* kGood = R"(
format = 1
title = "Scaled counts"
[[parameter]]
name = "values"
type = "const int*"
role = "input"
count = "n"
data = "below bins"
[[parameter]]
name = "counts"
type = "unsigned int*"
role = "output"
count = "bins"
zeroed = true
[[parameter]]
name = "scale"
type = "float"
role = "scalar"
value = 2.5
[[parameter]]
name = "n"
type = "int"
role = "size"
[derived]
half = "n / 2"
quarter = "half / 2"
[[shape]]
name = "tiny"
sizes = { n = 1000, bins = 7 }
small = true
[[shape]]
name = "large"
sizes = { n = 1000000, bins = 256 }
data = { values = "skewed bins" }
scalars = { scale = 3 }
tolerance = { relative = 0.5 }
[work]
bytes = "4 * n + 4 * bins"
flops = "quarter"
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}
std::string mistake(const std::string& text) {
  auto parsed = parse_ladder(text, "kernels/counts");
  EXPECT_FALSE(parsed.ok());
  return parsed.ok() ? "" : parsed.error().code + " " + parsed.error().message;
}

TEST(Ladder, reads_what_the_format_describes) {
  auto parsed = parse_ladder(kGood, "kernels/counts");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  const Ladder& ladder = *parsed;
  EXPECT_EQ(ladder.name, "counts");
  EXPECT_EQ(ladder.parameters.size(), 4u);
  EXPECT_EQ((*sizes_of(ladder, ladder.shapes[0])).at("quarter"), 250);
  EXPECT_EQ(ladder.tolerance_of(ladder.parameters[1], ladder.shapes[1]).relative, 0.5);
  EXPECT_EQ(ladder.tolerance_of(ladder.parameters[1], ladder.shapes[0]).relative, 0);
}

TEST(Ladder, tells_workers_counts_data_and_numbers) {
  auto ladder = *parse_ladder(kGood, "kernels/counts");
  auto small = *arguments_of(ladder, ladder.shapes[0]);
  ASSERT_EQ(small.size(), 4u);
  EXPECT_EQ(small[0].count, 1000u);
  EXPECT_EQ(small[0].filling, Filling::Below);
  EXPECT_EQ(small[0].below, 7u);
  EXPECT_EQ(small[1].role, bench_worker::Role::Output);
  EXPECT_EQ(small[1].zeroed, 1u);
  EXPECT_EQ(small[3].number, 1000u);
  auto large = *arguments_of(ladder, ladder.shapes[1]);
  EXPECT_EQ(large[0].filling, Filling::Skewed);
  EXPECT_EQ(large[0].below, 256u);
  float scale;
  std::memcpy(&scale, &large[2].number, sizeof scale);
  EXPECT_EQ(scale, 3);
}

TEST(Ladder, mistakes_name_the_line_and_the_thing) {
  EXPECT_NE(mistake(with(kGood, "const int*", "const char32*")).find("is not a type that a ladder can have"),
            std::string::npos);
  EXPECT_NE(mistake(with(kGood, "below bins", "under bins")).find("`under bins` is not data"), std::string::npos);
  EXPECT_NE(mistake(with(kGood, "half / 2", "halve / 2")).find("there is no size `halve`"), std::string::npos);
  EXPECT_NE(mistake(with(kGood, "small = true", "")).find("no [[shape]] is `small`"), std::string::npos);
  EXPECT_NE(mistake(with(kGood, "zeroed = true", "zeroes = true")).find("kernels/counts/ladder.toml:15: "),
            std::string::npos);
  EXPECT_NE(mistake(with(kGood, "role = \"output\"", "role = \"scratch\"")).find("no parameter is an output"),
            std::string::npos);
  EXPECT_EQ(mistake(with(kGood, "scale = 3", "scales = 3")),
            "B0001 kernels/counts/ladder.toml:32: [[shape]] `large`: no parameter `scales` of role scalar");
  EXPECT_NE(mistake(with(kGood, "[work]", "[works]")).find("there is no [work]"), std::string::npos);
}

TEST(Ladder, numbers_fit_into_their_types) {
  EXPECT_NE(
      mistake(with(kGood, "n = 1000000,", "n = 4294967296,")).find("`n` is 4294967296, which does not fit into `int`"),
      std::string::npos);
  const std::string integer = with(kGood, "type = \"float\"", "type = \"int8_t\"");
  EXPECT_NE(mistake(integer).find("`scale` is 2.5, which is no `int8_t`"), std::string::npos);
  EXPECT_NE(mistake(with(integer, "value = 2.5", "value = 200")).find("does not fit into `int8_t`"), std::string::npos);
  EXPECT_NE(mistake(with(kGood, "const int*", "const int8_t*")).find("`skewed bins`: its elements cannot hold 255"),
            std::string::npos);
  EXPECT_NE(mistake(with(kGood, "below bins", "constant inf")).find("`inf` is not a number"), std::string::npos);
}

TEST(Ladder, mistakes_in_parameters_are_those_of_problems) {
  EXPECT_NE(mistake(with(kGood, "type = \"int\"", "type = \"float\"")).find("[[parameter]] `n`: a size is an integer"),
            std::string::npos);
  EXPECT_NE(mistake(with(kGood, "type = \"int\"", "type = \"int*\"")).find("`n`: a size is not a pointer"),
            std::string::npos);
  EXPECT_NE(mistake(with(kGood, "name = \"n\"", "name = \"scale\"")).find("another parameter has this name"),
            std::string::npos);
  EXPECT_NE(mistake(with(kGood, "count = \"bins\"", "counts = \"bins\"")).find("did you mean `count`?"),
            std::string::npos);
}

TEST(Ladder, what_concerns_the_whole_file_is_said_of_no_table) {
  EXPECT_EQ(mistake(with(kGood, "format = 1", "format = 2")),
            "B0001 kernels/counts/ladder.toml:2: format 2 is not known: this version reads format 1");
}

TEST(Ladder, derived_sizes_follow_in_the_order_of_the_file) {
  auto ladder = parse_ladder(
      with(kGood, "half = \"n / 2\"\nquarter = \"half / 2\"", "z = \"n / 2\"\nquarter = \"z / 2\""), "kernels/counts");
  ASSERT_TRUE(ladder.ok()) << ladder.error().message;
  EXPECT_EQ((*sizes_of(*ladder, ladder->shapes[0])).at("quarter"), 250);
}

TEST(Ladder, types_have_all_their_spellings) {
  for (const char* spelling : {
#define SPELLING(text, name) text,
#include "lab/problem/element_spellings.inc"
#undef SPELLING
#define X(name, spelling, type) spelling,
           WARPWISE_BENCH_ELEMENTS(X)
#undef X
       }) {
    const std::string text = with(kGood, "bins = 256", "bins = 100");  // which all of them hold
    auto ladder = parse_ladder(with(text, "const int*", std::string("const ") + spelling + " *"), "kernels/counts");
    EXPECT_TRUE(ladder.ok()) << ladder.error().message;
  }
}

TEST(Ladder, conditions_compare_expressions) {
  const Numbers sizes{{"n", 1024}, {"rows", 3}};
  EXPECT_TRUE(*holds("", sizes));
  EXPECT_TRUE(*holds("n % 4 == 0 and rows <= 3", sizes));
  EXPECT_FALSE(*holds("n % 4 == 0 and rows < 3", sizes));
  EXPECT_TRUE(*holds("n != rows and n > rows and n >= 1024", sizes));
  EXPECT_FALSE(holds("n % 4", sizes).ok());
  EXPECT_FALSE(holds("columns == 4", sizes).ok());
}

TEST(Ladder, heads_of_steps_end_where_the_comment_does) {
  auto read = read_head(
      "// step: wide loads\n// takes: n % 4 == 0\n// needs: sm_90a\n// flags: --use_fast_math -DX=1\n#include <x>\n"
      "// step: not this\n",
      "kernels/counts/02_wide.cu");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->name, "02_wide");
  EXPECT_EQ(read->idea, "wide loads");
  EXPECT_EQ(read->takes, "n % 4 == 0");
  EXPECT_EQ(read->flags, (std::vector<std::string>{"--use_fast_math", "-DX=1"}));
  EXPECT_EQ(what_it_lacks(*read, 90), "");
  EXPECT_EQ(what_it_lacks(*read, 80), "needs sm_90a");
  EXPECT_EQ(what_it_lacks(*read, 100), "needs sm_90a");  // `a`: of this architecture alone
  EXPECT_EQ(read_head("// needs: hopper\n", "x.cu").error().code, "B0001");
  EXPECT_NE(read_head("// peer: cuBLAS\n", "x.cu").error().message.find("no line `// library: …` or `// header: …`"),
            std::string::npos);
}

TEST(Ladder, a_step_that_calculates_other_things_has_a_roof_of_its_own) {
  const Ladder ladder = *parse_ladder(kGood, "kernels/counts");
  const Shape& large = ladder.shapes.back();
  const device::Properties& h200 = *device::find_device("h200");
  const Version plain = *read_head("// step: one\n", "01_one.cu");
  const Version other = *read_head("// calculates: 6000 * n * bins on tensor_f16\n", "02_two.cu");
  EXPECT_EQ(other.flops, "6000 * n * bins");
  EXPECT_EQ(other.unit, Unit::TensorF16);
  EXPECT_EQ(roof_of(plain, ladder, large, h200)->seconds(), roof_of(ladder, large, h200)->seconds());
  EXPECT_TRUE(roof_of(plain, ladder, large, h200)->by_memory());
  const Roof roof = *roof_of(other, ladder, large, h200);
  EXPECT_EQ(roof.flops, 6000 * 1e6 * 256);
  EXPECT_EQ(roof.seconds(), roof.flops / peak_of(Unit::TensorF16, h200));
  EXPECT_FALSE(roof.by_memory());
  for (const char* wrong : {"// calculates: 6 * n\n", "// calculates: 6 * n on tensors\n"})
    EXPECT_EQ(read_head(wrong, "x.cu").error().code, "B0001");
  EXPECT_FALSE(roof_of(*read_head("// calculates: 6 * m on fp32\n", "x.cu"), ladder, large, h200).ok());
}

TEST(Ladder, calls_pass_numbers_by_their_types_and_arrays_as_addresses) {
  const std::string text = call_source(*parse_ladder(kGood, "kernels/counts"));
  EXPECT_NE(text.find("extern \"C\" void solve(void*, void*, float, int);"), std::string::npos) << text;
  EXPECT_NE(text.find("*reinterpret_cast<float const*>(a + 2)"), std::string::npos) << text;
}

TEST(Ladder, those_of_the_tree_are_found_by_name_and_by_folder) {
  setenv("WARPWISE_LADDERS", WARPWISE_KERNELS, 1);
  auto by_name = find_ladder("vector_add");
  ASSERT_TRUE(by_name.ok()) << by_name.error().message;
  EXPECT_GE(by_name->steps.size(), 2u);
  EXPECT_TRUE(find_ladder(WARPWISE_KERNELS "/vector_add/").ok());
  EXPECT_TRUE(find_ladder(WARPWISE_KERNELS "/vector_add/02_wide.cu").ok());
  auto missing = find_ladder("vector_sub");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message, "there is no ladder `vector_sub`; did you mean `vector_add`?");
}

}  // namespace
}  // namespace warpwise::bench
