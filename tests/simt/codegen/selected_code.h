// An LLVM function, given as text, after the passes that run right before instruction selection (llvm19/workarounds.h,
// define_gather_addresses.h, scalarise_masked_memory.h), to be examined and run. Only selected_code.cpp includes LLVM's
// headers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace warpwise::simt::test {

class SelectedCode {
 public:
  // `text`: a module with one function `void f(ptr in, ptr out)`. The passes run for `cpu`, one of LLVM's names
  // (x86-64-v4 has AVX-512), whatever the host is. Throws std::runtime_error with the message of LLVM's parser.
  explicit SelectedCode(const std::string& text, const std::string& cpu = "x86-64-v4");
  ~SelectedCode();

  unsigned shuffles() const;                 // shufflevector instructions
  unsigned shuffles_with_constants() const;  // those that take lanes of a constant
  unsigned masked_accesses() const;          // llvm.masked.*
  unsigned half_operations() const;          // comparisons, choices and changes of sign of 16-bit floats
  // What f stores for the 32 bits at `in`, compiled for the host.
  uint32_t run(uint32_t in);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// "" when `text`, a module, becomes an object file for the host, or else "CODE: message".
std::string emission_error(const std::string& text);
// EmittedObject::frame_bytes of such a module.
uint32_t emitted_frame_bytes(const std::string& text);

}  // namespace warpwise::simt::test
