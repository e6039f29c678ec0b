// The services of tcgen05 in independent-thread mode (tensor_services.cpp), and a block as exec/services/tensor_unit.h
// sees it.
#pragma once

#include "exec/launch/block_run.h"

namespace warpwise::exec {

TensorBlock tensor_block(BlockRun& run);
// Reports to the observer, where there is one, what the last instructions have read of the block's tensor memory before
// it was written. `only_if_all`: only where they have read nothing else.
void report_uninitialised_reads(BlockRun& run, int64_t thread, uint64_t pc, bool only_if_all);

}  // namespace warpwise::exec
