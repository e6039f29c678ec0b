// The addresses that an x86 instruction accesses. A fault in kernel code needs them twice: the processor does not
// report an address that is non-canonical, and it never reports which element of a gather faulted.
//
// This decodes one instruction far enough to find its memory operand (prefixes, ModRM, SIB, displacement
// and, for gathers and scatters, the vector of indices and the mask of what remains to be done). Encodings:
// Intel SDM volume 2, chapter 2; gathers complete from the lowest element up and clear its mask bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "exec/fault/registers.h"

namespace warpwise::exec {

struct MemoryOperand {
  struct Element {
    unsigned index = 0;  // in the vector register
    uint64_t address = 0;
    uint32_t kept = 0;  // what the target of a gather still holds in its place (of 64 bits the lower half)
  };
  bool indexed = false;           // a gather or scatter: `elements` are those not done yet, lowest first
  std::vector<Element> elements;  // one element when not indexed
  unsigned vector_bytes = 0;      // width of the vector operand; 0: a scalar instruction
  // Not indexed: the general registers that are added without a factor. Of two of these either one can be called the
  // index.
  std::optional<uint64_t> base, index;
};

// `code`: the bytes from the instruction on. Nothing when there is no explicit memory operand.
std::optional<MemoryOperand> decode_memory_operand(std::span<const uint8_t> code, const Registers& registers);

}  // namespace warpwise::exec
