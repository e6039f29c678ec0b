// Gathers of lanes whose addresses are poison (simt/codegen/define_gather_addresses.h): no instruction is left whose
// index may be any register.
#include <gtest/gtest.h>

#include <string>

#include "selected_code.h"

namespace warpwise::simt::test {
namespace {

// Eight lanes of 16, of which the first alone has an address; `PART` takes some of them, under a mask that is only
// known when it runs.
std::string gather_of(const std::string& part) {
  return R"(
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)
define void @f(ptr %in, ptr %out) {
  %mask = load i32, ptr %in
  %own = ptrtoint ptr %in to i64
  %one = insertelement <16 x i64> poison, i64 %own, i64 0
  %steps = add <16 x i64> %one, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60>
  %eight = shufflevector <16 x i64> %steps, <16 x i64> poison, <8 x i32> )" +
         part + R"(
  %pointers = inttoptr <8 x i64> %eight to <8 x ptr>
  %bits = trunc i32 %mask to i8
  %lanes = bitcast i8 %bits to <8 x i1>
  %got = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %pointers, i32 4, <8 x i1> %lanes, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>)
  %sum = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %got)
  store i32 %sum, ptr %out
  ret void
}
)";
}

TEST(DefineGatherAddresses, BecomeNull) {
  EXPECT_EQ(SelectedCode(gather_of("<i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>"))
                .shuffles_with_constants(),
            1u);
  EXPECT_EQ(
      SelectedCode(gather_of("<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>")).shuffles_with_constants(),
      1u);
  EXPECT_EQ(SelectedCode(gather_of("zeroinitializer")).shuffles_with_constants(), 0u) << "each lane has an address";
}

TEST(DefineGatherAddresses, RunWhereNoLaneIsActive) {
  EXPECT_EQ(SelectedCode(gather_of("<i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>")).run(0), 36u);
  EXPECT_EQ(SelectedCode(gather_of("<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>")).run(1), 36u)
      << "lane 0 reads the mask, 1";
}

}  // namespace
}  // namespace warpwise::simt::test
