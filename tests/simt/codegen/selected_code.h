// A function of LLVM's text after what is done right before selection (llvm19_workarounds.h, define_gather_addresses.h,
// scalarise_masked_memory.h), looked at and run. Only selected_code.cpp sees LLVM's headers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace warpwise::simt::test {

class SelectedCode {
 public:
  // `text`: a module with one function `void f(ptr in, ptr out)`; eased for `cpu`, one of LLVM's names (x86-64-v4 has
  // AVX-512), whatever the host is. Throws what LLVM's parser says.
  explicit SelectedCode(const std::string& text, const std::string& cpu = "x86-64-v4");
  ~SelectedCode();

  unsigned shuffles() const;                 // shufflevector instructions
  unsigned shuffles_with_constants() const;  // those that take lanes of a constant
  unsigned masked_accesses() const;          // llvm.masked.*
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
