// Ends a kernel that accesses memory at an address which is no multiple of the access's size, as a GPU does
// (cudaErrorMisalignedAddress). The host's processor would not care.
//
// Nearly every address is a sum of aligned parts: `p + 4 * i` is a multiple of 4 if the parameter p is. That it is one
// the launch answers (LaunchAlignment). What is left of a sum, a pointer that was loaded or an index times less than
// the size, is tested before the access:
//
//     %a = add i64 %p, %b                %low = and i64 %b, 15
//                                        %askew = icmp ne i64 %low, 0
//     load <16 bytes> %a                 call void @ww.event(i1 %askew, Misaligned, %a, 0)
//
// The address itself stays what it was, so its lane shape does, too. An access behind such a test, of the same parts,
// needs none of its own.
#pragma once

#include <llvm/IR/Function.h>

#include "simt/launch_assumptions.h"

namespace warpwise::simt {

struct AlignmentChecks {
  bool any = false;  // some access is tested
  LaunchAlignments assumed;
  void add(const AlignmentChecks& other) {
    any |= other.any;
    assumed.add(other.assumed);
  }
};

// `may_assume`: the function is a kernel, and its launch will be asked about its parameters.
AlignmentChecks check_alignment(llvm::Function& function, bool may_assume);

}  // namespace warpwise::simt
