// Step 5. Tricks that change no result, only what has to be stored (exact in real arithmetic; the roundings differ).
//
//   1. conv1's statistics follow from the moments of the 3×3 patches, and the gradient of its weights from sums over
//   pooled positions and the same moments. Neither conv1's values nor their gradient are ever written
//   (conv1_exact.cuh).
//   2. Pooling before the norm: the norm is monotonous in each channel, rising where γ ≥ 0 and falling where γ < 0. So conv2's kernel
//      takes the largest or the smallest of each window while the values are in registers; norm and ReLU then see a quarter of them.
//   3. The dense gradient of conv2's values, dx = γ/σ (dy − mean(dy) − x̂ mean(dy x̂)), is one multiply-add from the stored value and the
//      pooled gradient: the two kernels that multiply with it make it while they load it.
//
// Expected at batch 4096, bf16: step 4's kernels moved 3.6 GB, of which 0.9 GB remain: conv2's values (103 MB, written
// once, read twice), the pooled values and their gradients. 5.2 ms should become less than 1.
//
// Measured on an H200, batch 4096: 5.09 → 0.97 ms (bf16), 5.39 → 1.39 (tf32), 7.41 → 3.38 (fp32). The kernels' times
// are in the README. In bf16, half of the remaining time (0.50 ms) goes to conv2's three kernels: computing the dense
// gradient while loading it is not free.
#include "conv1_exact.cuh"
#include "conv_work.cuh"
#include "exact_step.cuh"

namespace mnist {

std::unique_ptr<Step> make_step5(int batch, Precision precision) { return make_tensor_step<ExactStep>(batch, precision); }

}  // namespace mnist
