// What a kernel did wrong, and the text that says so. The compiled engine fills a KernelFault from a
// signal or a service, the interpreter from its own checks; both get the same words:
//
//     illegal memory access: kernel `add`, block (3,0,0), thread (17,0,0)
//       at add.cu:12 (in clamp, inlined at add.cu:20), `ld.global.f32 %f1, [%rd4]`
//       address 0x200000400 is 4 bytes past the end of a 1024-byte allocation at 0x200000000
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "exec/engine.h"
#include "simt/compiler.h"

namespace warpwise::exec {

// What the program did, where the failure alone does not say.
enum class Misuse : uint8_t { None, Deadlock, Mbarrier, InvalidFree, Trap, TensorMemory };

struct KernelFault {
  device::Failure failure = device::Failure::None;
  Misuse misuse = Misuse::None;
  std::string what;          // "" takes the failure's own words
  std::string asserted;      // the expression of an assert() that failed
  uint64_t block = 0;        // linear
  int64_t thread = -1;       // linear in its block; -1: only the warp is known
  int64_t warp = -1;         // -1: not known
  int64_t function = -1;     // index into Module::functions; -1: not known
  int64_t instruction = -1;  // index into Function::instructions
  std::vector<simt::InlinedCall>
      calls;  // that the instruction stands in, from the innermost out, where the code is instrumented
  std::optional<device::Address> address;  // of memory faults
};

// Words for a failure, without place: "illegal memory access".
const char* describe(device::Failure failure);

// Where an instruction comes from: "add.cu:12, `ld.global.f32 %f1, [%rd4]`"; "" when not known.
std::string describe_place(const ptx::Module& module, int64_t function, int64_t instruction,
                           bool with_instruction = true);

// What is at an address: "4 bytes past the end of a 1024-byte allocation at 0x200000000".
std::string describe_address(const Arena& arena, device::Address address);

// Words for a stack overflow on entry of a function (-1: not known) or in an alloca.
std::string describe_stack_overflow(const KernelLaunch& launch, int64_t function);

// Why a trap was executed, where the launch tells it; "" otherwise.
std::string reason_of_trap(const KernelLaunch& launch, const KernelFault& fault);

// The whole story as a Status.
device::Status report_fault(const Machine& machine, const KernelLaunch& launch, const KernelFault& fault);

}  // namespace warpwise::exec
