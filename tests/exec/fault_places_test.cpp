// Where an instruction comes from, as a fault tells it: the user's line, if a header of CUDA was inlined there.
#include <gtest/gtest.h>

#include <memory>

#include "exec/fault/fault_report.h"
#include "ptx/parse/parser.h"

namespace warpwise::exec {
namespace {

// One instruction in each line of `k`, in this order: of the kernel, of an atomicAdd in it, of one in a function of the
// user, and of CUDA alone.
constexpr const char* kModule = R"(
.version 8.5
.target sm_90
.address_size 64
.file 1 "k.cu"
.file 2 "/usr/local/cuda/bin/../targets/x86_64-linux/include/device_atomic_functions.hpp"
.visible .entry k() {
  .reg .b32 %r<5>;
  .loc 1 10 3
  mov.u32 %r1, 1;
  .loc 2 107 5, function_name $L__info_string0, inlined_at 1 11 3
  mov.u32 %r2, 1;
  .loc 1 5 3, function_name $L__info_string1, inlined_at 1 12 3
  mov.u32 %r3, 1;
  .loc 2 107 5, function_name $L__info_string0, inlined_at 1 5 3
  mov.u32 %r4, 1;
  .loc 2 200 1
  ret;
}
.section .debug_str
{
$L__info_string0:
.b8 97, 100, 100, 0
$L__info_string1:
.b8 109, 105, 110, 101, 0
}
)";

TEST(FaultPlaces, are_lines_of_the_user) {
  Diagnostics diagnostics;
  const auto module = ptx::parse(std::make_shared<SourceText>("k.ptx", kModule), diagnostics);
  ASSERT_TRUE(module) << diagnostics.first_error().message;
  const auto place = [&](int64_t instruction) {
    return describe_place(*module, 0, instruction, /*with_instruction=*/false);
  };
  EXPECT_EQ(place(0), "k.cu:10");
  EXPECT_EQ(place(1), "k.cu:11");
  EXPECT_EQ(place(2), "k.cu:5 (in mine) called at k.cu:12");
  EXPECT_EQ(place(3), "k.cu:5 (in mine) called at k.cu:12");
  EXPECT_EQ(place(4), "/usr/local/cuda/bin/../targets/x86_64-linux/include/device_atomic_functions.hpp:200");
}

}  // namespace
}  // namespace warpwise::exec
