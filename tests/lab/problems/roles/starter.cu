#include <cuda_fp16.h>
extern "C" void solve(const float* a, float* sums, int* counts, unsigned char* bytes, float* scratch, half* halves, int* index, float scale, int rows, int cols) {}
