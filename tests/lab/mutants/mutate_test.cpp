#include "lab/mutants/mutate.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpwise::mutants {
namespace {

// The changes that one operator makes of a source: "line:column before -> after".
std::vector<std::string> changes(const std::string& source, Operator op) {
  std::vector<std::string> out;
  for (const Mutant& m : mutants_of(source))
    if (m.op == op)
      out.push_back(std::to_string(m.line) + ":" + std::to_string(m.column) + " " + m.before + " -> " + m.after);
  return out;
}

using Texts = std::vector<std::string>;

std::string kernel(const std::string& body) {
  return "__global__ void k(float* out, const float* a, const float* b, int rows, int cols) {\n" + body + "\n}\n";
}

TEST(Tokens, LeaveOutCommentsAndDirectives) {
  const std::string source = "#define N 4 \\\n 5\n/* a */ int x = 1e-5f; // <\n\"a;b\" <<< >>> 0xffu";
  std::vector<std::string> texts;
  for (const Token& token : tokens_of(source)) texts.emplace_back(token.text);
  EXPECT_EQ(texts, (Texts{"int", "x", "=", "1e-5f", ";", "\"a;b\"", "<<<", ">>>", "0xffu"}));
  EXPECT_EQ(tokens_of(source)[0].line, 3u);
  EXPECT_EQ(tokens_of(source)[0].column, 9u);
}

TEST(Tokens, KnowTheBodyTheyStandIn) {
  const std::string source =
      "constexpr int kSizes[] = {1, 2};\nnamespace n {\nstruct S { __device__ int f() { return 3; } };\n}\nvoid h() { "
      "g(4); }\n";
  std::map<std::string, Body> bodies;
  for (const Token& token : tokens_of(source)) bodies.emplace(token.text, token.body);
  EXPECT_EQ(bodies["2"], Body::None);
  EXPECT_EQ(bodies["3"], Body::Device);
  EXPECT_EQ(bodies["4"], Body::Host);
}

TEST(Mutants, OffByOne) {
  const std::string source = kernel("if (i < rows) out[i] = a[i + 1];");
  EXPECT_EQ(changes(source, Operator::CompareBoundary), (Texts{"2:7 < -> <="}));
  EXPECT_EQ(changes(source, Operator::BoundOffByOne), (Texts{"2:9 rows -> rows + 1", "2:9 rows -> rows - 1"}));
  EXPECT_EQ(changes(source, Operator::IndexOffByOne),
            (Texts{"2:19 i -> i + 1", "2:19 i -> i - 1", "2:26 i + 1 -> i + 1 + 1", "2:26 i + 1 -> i + 1 - 1"}));
}

TEST(Mutants, Guards) {
  const std::string source = kernel("if (r < rows && c < cols) out[r] = c > 0 ? 1 : 2;");
  EXPECT_EQ(changes(source, Operator::GuardDropped), (Texts{"2:5 r < rows && c < cols -> true"}));
  EXPECT_EQ(changes(source, Operator::GuardPartDropped), (Texts{"2:5 r < rows -> true", "2:17 c < cols -> true"}));
  EXPECT_EQ(changes(source, Operator::LogicSwapped), (Texts{"2:14 && -> ||"}));
  EXPECT_EQ(changes(source, Operator::ChoiceFixed), (Texts{"2:36 c > 0 -> true", "2:36 c > 0 -> false"}));
}

TEST(Mutants, BuiltinVariables) {
  const std::string source = kernel("int i = blockIdx.x * blockDim.x + threadIdx.x; int w = blockDim.x / 32;");
  EXPECT_EQ(changes(source, Operator::AxisSwapped).size(), 4u);
  EXPECT_EQ(changes(source, Operator::WarpsAssumed), (Texts{"2:56 blockDim.x / 32 -> 8"}));
  EXPECT_EQ(changes(source, Operator::GridMissing), (Texts{"2:9 blockIdx.x -> 0"}));
  EXPECT_EQ(changes(source, Operator::BlockSizeAssumed).size(), 4u);
}

TEST(Mutants, Barriers) {
  const std::string source = kernel("x = 1;\n__syncthreads();");
  EXPECT_EQ(changes(source, Operator::BarrierDropped), (Texts{"3:1 __syncthreads() -> "}));
  EXPECT_EQ(changes(source, Operator::BarrierWeakened), (Texts{"3:1 __syncthreads -> __syncwarp"}));
  EXPECT_EQ(changes(source, Operator::StatementDropped), (Texts{"2:1 x = 1 -> "}));
}

TEST(Mutants, ConstantsAndTypes) {
  const std::string source = kernel("float most = -INFINITY, sum = 0;\nint n = 4; sum += 0.5f;");
  EXPECT_EQ(changes(source, Operator::InitialiserDropped),
            (Texts{"2:12 = -INFINITY -> ", "2:29 = 0 -> ", "3:7 = 4 -> "}));
  EXPECT_EQ(changes(source, Operator::WrongIdentity), (Texts{"2:14 -INFINITY -> 0.0f", "2:14 -INFINITY -> -1000.0f"}));
  EXPECT_EQ(changes(source, Operator::TypeChanged), (Texts{"2:1 float -> int", "3:1 int -> short"}));
  EXPECT_EQ(changes(source, Operator::WholeNumberChanged),
            (Texts{"2:31 0 -> 1", "3:9 4 -> 5", "3:9 4 -> 3", "3:9 4 -> 8", "3:9 4 -> 2"}));
  EXPECT_EQ(changes(source, Operator::RealNumberChanged),
            (Texts{"3:19 0.5f -> 1.00000000f", "3:19 0.5f -> 0.500500000f"}));
  EXPECT_EQ(changes(source, Operator::SumOverwritten), (Texts{"3:16 += -> ="}));
}

TEST(Mutants, Parameters) {
  const std::string source = kernel("out[rows] = a[cols];");
  EXPECT_EQ(changes(source, Operator::SizesSwapped), (Texts{"2:5 rows -> cols", "2:15 cols -> rows"}));
  EXPECT_EQ(changes(source, Operator::ArraysSwapped), (Texts{"2:13 a -> b"}));
}

TEST(Mutants, LaunchesAndAtomics) {
  const std::string source =
      "void h() { k<<<(n + 255) / 256, 256>>>(n); }\n__device__ void d() { atomicAdd(&x[f(1, 2)], v); }\n";
  EXPECT_EQ(changes(source, Operator::LaunchThreads), (Texts{"1:33 256 -> 32", "1:33 256 -> 256 + 1"}));
  EXPECT_EQ(changes(source, Operator::PartialTileMissing), (Texts{"1:19 + 255 -> "}));
  EXPECT_EQ(changes(source, Operator::AtomicDropped), (Texts{"2:23 atomicAdd(&x[f(1, 2)], v) -> x[f(1, 2)] += v"}));
}

TEST(Mutants, SayWhereTheyAre) {
  const std::string source = "void h() { n / 2; }\n" + kernel("x = n / 2;");
  bool host = false, device = false;
  for (const Mutant& m : mutants_of(source))
    if (m.op == Operator::ArithmeticSwapped) (m.line == 1 ? host : device) = m.in_kernel == (m.line != 1);
  EXPECT_TRUE(host);
  EXPECT_TRUE(device);
}

TEST(Mutants, ShowTheirDifference) {
  const std::string source = "int a;\n" + kernel("x = n % 2;");
  for (const Mutant& m : mutants_of(source))
    if (m.op == Operator::ArithmeticSwapped) {
      EXPECT_EQ(difference(source, m), "- x = n % 2;\n+ x = n / 2;\n");
    }
}

// Every operator has a name of its own, and changes what it is given.
TEST(Mutants, OperatorsAreListedOnce) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < kOperators; ++i) names.push_back(name_of(Operator(i)));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace warpwise::mutants
