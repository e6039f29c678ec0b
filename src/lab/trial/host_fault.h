// Where a submission's host code was when it ended badly: at an access to memory that is not its own, mostly through a
// device pointer (`c[i] = …` in solve); or still in a loop when its time was over.
//
//     program: SIGSEGV, or SIGVTALRM from its timer ─► handler ──fault──► socket of the judge
//              then the signal again, which ends the program
//     judge:   fault ──► which array the address is in, and the line of the host code
//
// The program is untrusted, and so is its message: it only explains a crash that the judge has seen itself.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/finding.h"

namespace warpwise::lab {

// As it comes through the socket.
struct HostFault {
  uint64_t signal = 0;                // SIGSEGV, SIGVTALRM
  uint64_t address = 0;               // that was touched
  uint64_t stack = 0;                 // the stack pointer
  uint64_t count = 0;                 // of `places` that are used
  std::array<uint64_t, 14> places{};  // offsets into the program: the instruction, then the calls around it
};

// The handler's source, for the program around `solve`. Environment variables: `descriptor` has the socket,
// `milliseconds` the processor time that the program may take.
std::string host_fault_source(const char* descriptor, const char* milliseconds);

// The innermost of the places that lies in one of `sources`, asked of addr2line in the sandbox, since the program is
// untrusted. Nothing where the program has no line tables, or the machine no addr2line.
std::optional<SourcePlace> place_of(const HostFault& fault, const std::filesystem::path& program,
                                    const std::vector<std::string>& sources, bool sandbox);

}  // namespace warpwise::lab
