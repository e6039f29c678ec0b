// A test in one PTX file: kernels, and in comments what to launch and what must come of it.
//
//     // launch: add grid=1 block=4            starts a launch; also shared=BYTES, stack=BYTES, timeout=SECONDS,
//                                              cooperative,
//                                              independent: threads must get on by themselves: not jit-simt,
//                                              exact: a mistake that only the interpreter is sure to see,
//                                              told=C0201,C0202: the checkers tell these, and nothing else,
//                                              manual: the manual is followed where GPUs are known not to
//     // in a: u32 1 2 3 0xffffffff            a buffer the kernel reads
//     // out d: u32 2 4 6 0xfffffffe           a buffer it writes, zeros before, compared bit by bit
//     // inout x: u32 1 2 => 3 4               both
//     // in t texture=2d,u8,4x4: u8 0..15      a texture of these texels, passed by its handle;
//                                           surface= likewise (image_case.h)
//     // inout m copies=2: u32 1 2 3 4         so many copies of a buffer behind one multimem address, here 1 2 and 3 4
//     // arg n: u32 4                          a parameter passed by value
//     // tensor t: u32 of a sizes=8 box=4      a tensor map over a buffer, passed by value (tensor_spec.h)
//     // print: text                           a line that it prints
//     // fault: IllegalAddress words           the launch fails so, and the message has these words
//
// in, out, inout, arg and tensor stand in the order of the kernel's parameters. A list goes on over further comment
// lines that are indented by two spaces or more. Values: decimal, 0x..., 1.5, nan, inf, -inf; `V xN` repeats,
// `A..B` counts. `nan` is the device's NaN (0x7fffffff, 0x7fff), of f64 any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "ptx/types.h"
#include "tensor_spec.h"

namespace warpwise::test {

struct Buffer {
  enum class Kind : uint8_t { In, Out, InOut, Arg, Tensor };
  Kind kind = Kind::In;
  std::string name;
  ptx::Type type = ptx::Type::U32;
  std::vector<std::byte> before, after;  // `after` of Out and InOut
  TensorSpec tensor;                     // of Tensor
  std::string image;                     // "texture=2d,u8,4x4": the kernel gets a handle
  unsigned copies = 0;                   // 0: no multimem address
  bool operator==(const Buffer&) const = default;
};

struct PtxLaunch {
  std::string kernel;
  device::Dim3 grid, block;
  uint32_t shared_bytes = 0;
  uint32_t stack_bytes = 0;  // cudaLimitStackSize, unless 0
  double timeout_seconds = 20;
  bool cooperative = false, independent = false, exact = false, manual = false;
  std::vector<std::string> told;  // the codes of all that the checkers must find
  std::vector<Buffer> buffers;
  std::string print;
  std::string fault, fault_words;  // "IllegalAddress"
  unsigned line = 0;
};

struct PtxCase {
  std::string name, text;
  std::vector<PtxLaunch> launches;
};

// The newer one of sm_90a and what the file says: its device has it, and ptxas is asked for it.
std::string target_of(const PtxCase& test);

Result<PtxCase> read_ptx_case(const std::string& path);

// The complaints of all launches, empty when everything is as it should be.
std::string run_ptx_case(const PtxCase& test, std::string_view engine);

}  // namespace warpwise::test
