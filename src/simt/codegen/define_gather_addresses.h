// Gathers from lanes of which nobody knows where they lead.
//
// In a block of one thread, lanes 1 to 31 of an address are poison: their mask is false. LLVM makes four gathers of the
// 32 lanes, and for an index that is poison as a whole its register allocator takes whatever register is at hand, the
// gather's own destination too: such an instruction is an illegal one, whatever the mask (Intel SDM volume 2,
// VPGATHERQD: #UD if destination and index are the same register). So lanes that are known to be poison become null.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// Behind the last pass that could make poison of null again.
void define_addresses(llvm::Function& function);

}  // namespace warpwise::simt
