// The work of nodes, made from what programs say: all checks of the call that would do the same on a stream.
#pragma once

#include "cuda/runtime/graph/graph.h"
#include "cuda/runtime/memory/copy.h"

namespace warpwise::cuda {

cudaError_t make_kernel(Process& process, device::Device& gpu, const cudaKernelNodeParams* params, KernelWork* out);
cudaError_t make_copy(const cudaMemcpy3DParms* params, CopyWork* out);
// A row of bytes, for the functions that name no box.
cudaError_t make_row_copy(void* dst, const void* src, size_t count, cudaMemcpyKind kind, cudaMemcpy3DParms* out);
cudaError_t make_fill(Process& process, device::Device& gpu, const cudaMemsetParams* params, FillWork* out);

// Any node, as cudaGraphAddNode says it. `params` gets what CUDA writes into it (an allocation's address, a
// conditional's bodies).
cudaError_t make_work(Process& process, device::Device& gpu, Graph& graph, cudaGraphNodeParams& params, Work* out);

// Where a launch attribute matters to a kernel's launch, it is applied.
void apply_attribute(KernelWork& work, cudaLaunchAttributeID attribute);

}  // namespace warpwise::cuda
