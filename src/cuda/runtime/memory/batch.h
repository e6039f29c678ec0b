// Requests that come in batches (cudaMemcpyBatchAsync, cudaMemPrefetchBatchAsync), and the checks that they share.
//
// A batch has its place in a stream. Within a batch CUDA promises no order; here it is the given one. What several
// operations share (attributes of copies, destinations of prefetches) comes as runs: the k-th belongs to operation
// first[k] and to those before first[k + 1].
#pragma once

#include "cuda/runtime/error.h"
#include "cuda/runtime/process.h"

namespace warpwise::cuda {

struct Runs {
  const char* what;  // their name in messages: "attributes"
  const void* values;
  const size_t* first;
  size_t count;
};

// The stream exists and is not the legacy default stream, which batches do not accept.
cudaError_t check_batch_stream(Process& process, device::Device& gpu, cudaStream_t stream);
cudaError_t check_runs(const Runs& runs, size_t operations);

}  // namespace warpwise::cuda
