// Operations of streams on single words of memory (CUstreamBatchMemOpParams) as commands of a device. Streams and
// graphs' nodes take them.
#pragma once

#include <vector>

#include "cuda/driver/call.h"

namespace warpwise::cuda::driver {

// Barriers become nothing: what a command has written is there for the next.
cudaError_t value_commands(const CUstreamBatchMemOpParams* operations, unsigned count, unsigned flags,
                           std::vector<device::Command>* out);

// Nodes that do such operations, as cuGraphAddNode and cuGraphNodeSetParams name them; an executable graph's copy of
// one, too.
cudaError_t add_values_node(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                            const CUgraphEdgeData* edges, size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS* params);
cudaError_t set_values_node(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* params);
cudaError_t set_values_node_in(CUgraphExec exec, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* params);

}  // namespace warpwise::cuda::driver
