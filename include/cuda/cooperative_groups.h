// Cooperative groups (CUDA C++ programming guide, "Cooperative Groups"): objects for threads that synchronise and
// exchange values.
//
//   thread_block            the block
//   grid_group              all blocks of a cooperative launch
//   cluster_group           the blocks of a cluster
//   thread_block_tile<N>    N neighbouring threads, N a power of two
//   coalesced_group         the threads of a warp that are active together
//   thread_group            a block, a tile of a warp or a coalesced group, by value
#pragma once

#include "cuda_runtime.h"
#ifdef __CUDACC__  // host sources (.cpp) get nothing
#include "warpwise/begin_device_code.h"
#include "warpwise/groups/blocks.h"
#include "warpwise/groups/details.h"
#include "warpwise/groups/partitions.h"
#include "warpwise/groups/tiles.h"
#include "warpwise/groups/warps.h"

#undef WARPWISE_CG
#undef WARPWISE_CGM

#include "warpwise/end_device_code.h"

#endif  // __CUDACC__
