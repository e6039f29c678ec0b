// The services of tcgen05 in split mode (tensor_services.cpp), and a block as exec/tensor_unit.h sees it.
#pragma once

#include "exec/block_run.h"

namespace warpwise::exec {

TensorBlock tensor_block(BlockRun& run);

}  // namespace warpwise::exec
