#include "toolchain/nvcc_spelling.h"

#include <gtest/gtest.h>

namespace warpwise::toolchain {
namespace {

TEST(NvccSpelling, ClosesUpTheBracketsOfALaunch) {
  EXPECT_EQ(spelled_for_clang("k << <grid, block >> > (a);"), "k <<< grid, block >>>  (a);");
  EXPECT_EQ(spelled_for_clang("k<<<grid, block>> >(a);"), "k<<<grid, block>>> (a);");
  EXPECT_EQ(spelled_for_clang("k<<\t<1, 1>>>(a);"), "k<<<\t1, 1>>>(a);");
}

TEST(NvccSpelling, EveryOtherCharacterKeepsItsPlace) {
  const std::string source = "int x;\nk << <g,\n  f(1), s >>\n>(a);\nint y = 1;\n";
  const std::optional<std::string> joined = spelled_for_clang(source);
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->size(), source.size());
  EXPECT_EQ(joined->find("int y"), source.find("int y"));
  EXPECT_EQ(joined->find("f(1)"), source.find("f(1)"));
}

TEST(NvccSpelling, LeavesAloneWhatIsNoLaunch) {
  for (const char* source :
       {"k<<<1, 2>>>(a);", "A<B<C>> > d;", "std::ostream& operator<< <int>(std::ostream&, A<int>);",
        "f(operator << <T>(a, b));", "// k << <1, 1 >> >(a)\n", "/* k << <1, 1 >> >(a) */",
        "const char* s = \"k << <1, 1 >> >(a)\";", "const char* s = R\"x(k << <1, 1 >> >(a))x\";",
        "x = a << b; y = c >> d;", "char c = '\"'; x << y;"})
    EXPECT_EQ(spelled_for_clang(source), std::nullopt) << source;
}

TEST(NvccSpelling, TemplatesInsideOfALaunchAreNotItsEnd) {
  EXPECT_EQ(spelled_for_clang("k << <f(sizeof(A<B<C>> >)), 1 >> >(a);"), "k <<< f(sizeof(A<B<C>> >)), 1 >>> (a);");
}

TEST(NvccSpelling, LiteralsBeforeALaunchDoNotHideIt) {
  EXPECT_EQ(spelled_for_clang("n = 1'000'000; k << <n, 'x' >> >();"), "n = 1'000'000; k <<< n, 'x' >>> ();");
  EXPECT_EQ(spelled_for_clang("s = \"a\\\"b\"; k << <1, 2 >> >();"), "s = \"a\\\"b\"; k <<< 1, 2 >>> ();");
}

TEST(NvccSpelling, PartsALiteralAndTheMacroBehindIt) {
  EXPECT_EQ(spelled_for_clang("extern \"C\"__global__ void k();"), "extern \"C\" __global__ void k();");
  EXPECT_EQ(spelled_for_clang("extern \"C\"__device__ int f(); extern \"C\"__device__ int g();"),
            "extern \"C\" __device__ int f(); extern \"C\" __device__ int g();");
}

TEST(NvccSpelling, SharedVariablesWithTheirSizeAreDefined) {
  EXPECT_EQ(spelled_for_clang("extern __shared__ float x[64];"), "       __shared__ float x[64];");
  EXPECT_EQ(spelled_for_clang("extern __shared__ __align__(16) char x[ N ];"),
            "       __shared__ __align__(16) char x[ N ];");
  EXPECT_EQ(spelled_for_clang("extern __shared__ int n;"), "       __shared__ int n;");
}

TEST(NvccSpelling, SharedMemoryThatTheLaunchSizesIsLeftAlone) {
  for (const char* source :
       {"extern __shared__ float x[];", "extern __shared__ float x[ ][4];", "extern float x[64]; __shared__ int n;",
        "extern \"C\" __global__ void k(); __shared__ int x[4];", "extern \"C\" { __shared__ int x[4]; }",
        "void f(extern_t x); __shared__ int y[4];"})
    EXPECT_EQ(spelled_for_clang(source), std::nullopt) << source;
}

TEST(NvccSpelling, LeavesSuffixesOfLiteralsAlone) {
  for (const char* source : {"extern \"C\" __global__ void k();", "s = \"text\"s;", "s = \"text\"_name;", "c = 'x'__y;",
                             "// \"C\"__global__", "s = \"\\\"__global__\";"})
    EXPECT_EQ(spelled_for_clang(source), std::nullopt) << source;
}

}  // namespace
}  // namespace warpwise::toolchain
