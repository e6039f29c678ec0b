// What call_test.c loads.
extern "C" __global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }
extern "C" double half_of(double x) { return x / 2; }
