extern "C" __global__ void add_ten(float* out, const float* a) {
}
