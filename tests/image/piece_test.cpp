// What a source says about its picture: comments, and kernels with their parameters.
#include "image/piece.h"

#include <gtest/gtest.h>

namespace warpwise::image {
namespace {

TEST(PieceShape, is_512_square_unless_comments_say_otherwise) {
  const Shape usual = shape_in("__global__ void image();\n").value();
  EXPECT_EQ(usual.width, 512u);
  EXPECT_EQ(usual.height, 512u);
  EXPECT_EQ(usual.block_x, 32u);
  EXPECT_EQ(usual.block_y, 8u);
  const Shape shape = shape_in("// A piece\n// size: 256 x 64\n// block: 128x1\r\nint i;").value();
  EXPECT_EQ(shape.width, 256u);
  EXPECT_EQ(shape.height, 64u);
  EXPECT_EQ(shape.block_x, 128u);
  EXPECT_EQ(shape.block_y, 1u);
  EXPECT_EQ(shape_in("// size: that of the screen\n").value().width, 512u) << "words are a comment like others";
}

TEST(PieceShape, refuses_what_cannot_be_with_its_line) {
  for (const char* bad : {"// size: 0 x 4", "// size: 4", "// size: 4 x 4 x 4", "// size: 4096 x 4",
                          "// block: 64 x 32", "// block: 4096 x 1048576", "// size: 99999999999 x 2"}) {
    const auto shape = shape_in(std::string("int i;\n") + bad);
    ASSERT_FALSE(shape.ok()) << bad;
    EXPECT_EQ(shape.error().code, "I0003");
    EXPECT_EQ(shape.error().message.substr(0, 7), "line 2:");
  }
}

// image(uchar4*, int, int, float, float2, int …)
std::string symbol(const std::string& name, const std::string& further = "") {
  return "_Z" + std::to_string(name.size()) + name + "P6uchar4iif6float2i" + further;
}

TEST(PiecePasses, are_the_kernels_in_their_order_with_their_arrays) {
  const Passes passes =
      passes_of({symbol("scene", "Pf"), symbol("image", "PKfP6float4")},
                "__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame, "
                "const float* heat, float4* colour) {}")
          .value();
  ASSERT_EQ(passes.list.size(), 2u);
  EXPECT_EQ(passes.list[0].name, "scene");
  EXPECT_EQ(passes.list[0].arrays, 1u);
  EXPECT_EQ(passes.list[1].name, "image");
  EXPECT_EQ(passes.list[1].arrays, 2u);
  ASSERT_EQ(passes.arrays.size(), 2u);
  EXPECT_EQ(passes.arrays[0].name, "heat");
  EXPECT_EQ(passes.arrays[0].bytes, 4u);
  EXPECT_EQ(passes.arrays[1].name, "colour");
  EXPECT_EQ(passes.arrays[1].bytes, 16u);
}

TEST(PiecePasses, refuse_what_a_picture_cannot_give) {
  const auto refused = [](const std::vector<std::string>& symbols) {
    const auto passes = passes_of(symbols, "");
    return passes ? std::string("accepted") : passes.error().code;
  };
  EXPECT_EQ(refused({}), "I0001");
  EXPECT_EQ(refused({symbol("picture")}), "I0001");
  EXPECT_EQ(refused({symbol("image")}), "accepted");
  EXPECT_EQ(refused({"image"}), "I0002") << "extern \"C\"";
  EXPECT_EQ(refused({symbol("image"), "_Z5otherPfi"}), "I0002");
  EXPECT_EQ(refused({symbol("image", "f")}), "I0002") << "a number is no array";
  EXPECT_EQ(refused({symbol("image", "P8Particle")}), "I0002") << "a type without a known size";
  EXPECT_EQ(refused({symbol("scene", "Pd"), symbol("image", "Pf")}), "I0002") << "one array with two types";
  EXPECT_EQ(refused({symbol("image", "PfS2_S2_S2_S2_S2_S2_S2_S2_")}), "I0002") << "nine arrays";
}

}  // namespace
}  // namespace warpwise::image
