// Defined gather addresses: the indices of lanes that are certainly inactive become null instead of poison.
//
// In a block of one thread, lanes 1 to 31 of an address are poison: their mask is false. LLVM makes four gathers of the
// 32 lanes. For an index that is poison as a whole its register allocator takes any register, the gather's own
// destination included. Such an instruction is illegal, whatever the mask (Intel SDM volume 2, VPGATHERQD: #UD if
// destination and index are the same register). Runs behind the last pass that could make poison of null again.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

void define_gather_addresses(llvm::Function& function);

}  // namespace warpwise::simt
