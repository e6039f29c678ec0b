// Softmax and cross entropy in one kernel, and their gradient in one (cross_entropy.py, docs/python_examples.md).
//
//     lse[r] = log sum_c exp(logits[r][c])        loss[r] = lse[r] - logits[r][target[r]]
//
// A block has a row. Its maximum and its sum are found in one pass: a thread that meets a new maximum scales the sum
// that it has so far. The probabilities are never written.
#ifndef REAL
#define REAL float
#endif

constexpr int kThreads = 128, kWarps = kThreads / 32;

// The largest of some numbers, and the sum of exp(x - largest).
struct Part {
  REAL largest, sum;
};

__device__ Part together(Part a, Part b) {
  if (b.sum == 0) return a;
  if (a.sum == 0) return b;
  const REAL largest = max(a.largest, b.largest);
  return {largest, a.sum * exp(a.largest - largest) + b.sum * exp(b.largest - largest)};
}

__device__ Part over_warp(Part part) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const Part other{__shfl_xor_sync(~0u, part.largest, distance), __shfl_xor_sync(~0u, part.sum, distance)};
    part = together(part, other);
  }
  return part;
}

extern "C" __global__ void cross_entropy(const REAL* logits, const long* target, REAL* loss, REAL* lse, int classes) {
  __shared__ Part parts[kWarps];
  const REAL* row = logits + long(blockIdx.x) * classes;
  Part part{0, 0};
  for (int c = threadIdx.x; c < classes; c += blockDim.x) part = together(part, {row[c], 1});
  part = over_warp(part);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = part;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < kWarps; ++w) part = together(part, parts[w]);
  lse[blockIdx.x] = part.largest + log(part.sum);
  loss[blockIdx.x] = lse[blockIdx.x] - row[target[blockIdx.x]];
}

// d loss / d logits = softmax - 1 at the target; d lse / d logits = softmax.
extern "C" __global__ void cross_entropy_backward(const REAL* grad_loss, const REAL* grad_lse, const REAL* logits,
                                                  const long* target, const REAL* lse, REAL* grad_logits, int classes) {
  const long row = blockIdx.x;
  const REAL of_loss = grad_loss[row], of_both = of_loss + grad_lse[row];
  for (int c = threadIdx.x; c < classes; c += blockDim.x) {
    const REAL probability = exp(logits[row * classes + c] - lse[row]);
    grad_logits[row * classes + c] = of_both * probability - (c == target[row] ? of_loss : REAL(0));
  }
}
