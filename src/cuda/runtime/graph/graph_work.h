// The work of nodes, made from the program's parameters, with all checks of the call that would do the same on a
// stream.
#pragma once

#include "cuda/runtime/graph/graph.h"
#include "cuda/runtime/memory/copy.h"

namespace warpwise::cuda {

cudaError_t make_kernel(Process& process, device::Device& gpu, const cudaKernelNodeParams* params, KernelWork* out);
cudaError_t make_copy(const cudaMemcpy3DParms* params, CopyWork* out);
// A row of bytes, for the functions that take no box.
cudaError_t make_row_copy(void* dst, const void* src, size_t count, cudaMemcpyKind kind, cudaMemcpy3DParms* out);
cudaError_t make_fill(Process& process, device::Device& gpu, const cudaMemsetParams* params, FillWork* out);

// Any node, as described to cudaGraphAddNode. `params` receives what CUDA writes into it (the address of an allocation,
// the bodies of a conditional).
cudaError_t make_work(Process& process, device::Device& gpu, Graph& graph, cudaGraphNodeParams& params, Work* out);

// Applies a launch attribute where it affects the kernel's launch.
void apply_attribute(KernelWork& work, cudaLaunchAttributeID attribute);

}  // namespace warpwise::cuda
