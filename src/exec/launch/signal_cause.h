// What a kernel did wrong, found from the signal that ended one of its blocks.
//
//     registers, address ──► site: PTX instruction, shadow ──► address that the program meant ──► lane, thread
//
// A processor says little: of an address that is no address, nothing; of a gather, not which element it was; of a store
// of a vector, only the first byte that it could not reach. So the machine instruction is decoded again. The place in
// the code says how LLVM's instruction came from PTX: a lookup in a shadow memory lies at a fixed distance from what
// the program accesses, and accesses that were taken apart carry their lane in a register or in the place itself
// (simt/instrument).
#pragma once

#include <optional>

#include "exec/launch/block_run.h"

namespace warpwise::exec {

// For a block whose guard was left by a signal. Nothing: it was asked to leave because another block has failed.
std::optional<KernelFault> cause_of_signal(const BlockRun& run);

}  // namespace warpwise::exec
