#include "toolchain/launch_spelling.h"

#include <gtest/gtest.h>

namespace warpwise::toolchain {
namespace {

TEST(LaunchSpelling, ClosesUpTheBracketsOfALaunch) {
  EXPECT_EQ(with_joined_launches("k << <grid, block >> > (a);"), "k <<< grid, block >>>  (a);");
  EXPECT_EQ(with_joined_launches("k<<<grid, block>> >(a);"), "k<<<grid, block>>> (a);");
  EXPECT_EQ(with_joined_launches("k<<\t<1, 1>>>(a);"), "k<<<\t1, 1>>>(a);");
}

TEST(LaunchSpelling, EveryOtherCharacterKeepsItsPlace) {
  const std::string source = "int x;\nk << <g,\n  f(1), s >>\n>(a);\nint y = 1;\n";
  const std::optional<std::string> joined = with_joined_launches(source);
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->size(), source.size());
  EXPECT_EQ(joined->find("int y"), source.find("int y"));
  EXPECT_EQ(joined->find("f(1)"), source.find("f(1)"));
}

TEST(LaunchSpelling, LeavesAloneWhatIsNoLaunch) {
  for (const char* source : {"k<<<1, 2>>>(a);", "A<B<C>> > d;", "std::ostream& operator<< <int>(std::ostream&, A<int>);", "f(operator << <T>(a, b));", "// k << <1, 1 >> >(a)\n",
                             "/* k << <1, 1 >> >(a) */", "const char* s = \"k << <1, 1 >> >(a)\";", "const char* s = R\"x(k << <1, 1 >> >(a))x\";", "x = a << b; y = c >> d;", "char c = '\"'; x << y;"})
    EXPECT_EQ(with_joined_launches(source), std::nullopt) << source;
}

TEST(LaunchSpelling, TemplatesInsideOfALaunchAreNotItsEnd) {
  EXPECT_EQ(with_joined_launches("k << <f(sizeof(A<B<C>> >)), 1 >> >(a);"), "k <<< f(sizeof(A<B<C>> >)), 1 >>> (a);");
}

TEST(LaunchSpelling, LiteralsBeforeALaunchDoNotHideIt) {
  EXPECT_EQ(with_joined_launches("n = 1'000'000; k << <n, 'x' >> >();"), "n = 1'000'000; k <<< n, 'x' >>> ();");
  EXPECT_EQ(with_joined_launches("s = \"a\\\"b\"; k << <1, 2 >> >();"), "s = \"a\\\"b\"; k <<< 1, 2 >>> ();");
}

}  // namespace
}  // namespace warpwise::toolchain
