// problem: challenges/vector-add
// verdict: accepted
// says: passed
// A header beside the file is part of the submission.
#include "own_header.cuh"

extern "C" void solve(const float* A, const float* B, float* C, int N) { add<<<(N + 255) / 256, 256>>>(A, B, C, N); }
