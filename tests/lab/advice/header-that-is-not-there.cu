// problem: challenges/relu
// verdict: does-not-compile
// says: `torch/extension.h` is neither beside the file nor a header of CUDA or C++
// not: start with the first message
#include <torch/extension.h>

extern "C" void solve(const float* input, float* output, int N) {}
