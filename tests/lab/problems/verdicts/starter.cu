extern "C" __global__ void block_sum(float* out, const float* a, int n) {}
