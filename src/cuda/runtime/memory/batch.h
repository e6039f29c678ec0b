// Requests that come many at a time (cudaMemcpyBatchAsync, cudaMemPrefetchBatchAsync): what all of them check.
//
// A batch has its place in a stream, and within it no order is promised; ours is the one given. What several operations
// share (attributes of copies, places to prefetch to) comes as runs: the k-th belongs to operation first[k] and those
// up to first[k + 1].
#pragma once

#include "cuda/runtime/error.h"
#include "cuda/runtime/process.h"

namespace warpwise::cuda {

struct Runs {
  const char* what;  // they are of: "attributes"
  const void* values;
  const size_t* first;
  size_t count;
};

// The stream exists and is not the legacy default one, which batches refuse.
cudaError_t check_batch_stream(Process& process, device::Device& gpu, cudaStream_t stream);
cudaError_t check_runs(const Runs& runs, size_t operations);

}  // namespace warpwise::cuda
