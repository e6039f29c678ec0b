// Operations of streams on single words of memory (CUstreamBatchMemOpParams) as device commands, for streams and graph
// nodes.
#pragma once

#include <vector>

#include "cuda/driver/call.h"

namespace warpwise::cuda::driver {

// Barriers become nothing: the next command sees what an earlier one has written.
cudaError_t value_commands(const CUstreamBatchMemOpParams* operations, unsigned count, unsigned flags,
                           std::vector<device::Command>* out);

// Nodes with such operations, for cuGraphAddNode and cuGraphNodeSetParams, and for an executable graph's copy of one.
cudaError_t add_values_node(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                            const CUgraphEdgeData* edges, size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS* params);
cudaError_t set_values_node(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* params);
cudaError_t set_values_node_in(CUgraphExec exec, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* params);

}  // namespace warpwise::cuda::driver
