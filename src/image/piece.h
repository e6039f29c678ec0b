// A piece: a source whose kernel `image` computes a picture, a thread for each pixel, again and again.
//
//     // size: 256 x 256
//     __global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame, float* heat)
//
// Further parameters are pointers to arrays of w x h elements. They hold zeros before frame 0 and stay as they are
// between frames, so that a frame can be computed from the one before. A source may have further kernels with the same
// parameters, under any names: all of them run for each frame, in the order in which they stand in the file, and the
// n-th array is the same one for all. So a piece is plain CUDA, and no host code of it ever runs.
//
// What no parameter can say stands in two comments, on lines of their own: `// size: W x H` is the picture, 512 x 512
// unless it says otherwise, and `// block: X x Y` the threads of a block, 32 x 8.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "toolchain/build.h"

namespace warpwise::image {

constexpr uint32_t kMostSide = 2048;
constexpr size_t kMostArrays = 8;
constexpr size_t kBytesOfPixel = 4;

// What the comments of a source say.
struct Shape {
  uint32_t width = 512, height = 512;
  uint32_t block_x = 32, block_y = 8;
  size_t pixels() const { return size_t{width} * height; }
};
// I0003 for numbers that cannot be, with the line.
Result<Shape> shape_in(std::string_view source);

// An array that stays between frames.
struct Array {
  std::string name;    // of the parameter of `image`, where the text shows it; else "array 1"
  uint32_t bytes = 0;  // of an element
};

// A kernel of the source.
struct Pass {
  std::string symbol;  // as in the PTX
  std::string name;
  size_t arrays = 0;  // of the piece's, the first ones
};

struct Passes {
  std::vector<Pass> list;  // in the order of the file
  std::vector<Array> arrays;
};
// From the names of a module's kernels, which carry the types of their parameters. I0001 where there is no `image`,
// I0002 where a kernel has other parameters.
Result<Passes> passes_of(const std::vector<std::string>& symbols, std::string_view source);

struct CompileOptions {
  toolchain::BuildPurpose purpose = toolchain::BuildPurpose::Run;
  unsigned architecture = 90;  // compute capability times ten
  bool sandbox = false;        // the compiler sees no other file than the source and our headers
};

struct CompiledPiece {
  bool compiled = false;
  std::string ptx;
  std::string messages;  // of the compiler, with the source's name without its folder
};
// Errors: U0001; those that the source has not caused (T0002, S0001).
Result<CompiledPiece> compile(const std::filesystem::path& source, const CompileOptions& options);

}  // namespace warpwise::image
