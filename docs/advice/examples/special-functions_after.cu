// docs/advice/special-functions.md, after.
#include "example.h"

// Each step turns the angle by one: two products and sums instead of a sine and a cosine.
__global__ void waves(float* out, const float* in, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, sine = __sinf(in[i]), cosine = __cosf(in[i]);
  for (int k = 0; k < steps; ++k) {
    sum += sine * cosine;
    float turned = sine * 0.54030231f + cosine * 0.84147098f;
    cosine = cosine * 0.54030231f - sine * 0.84147098f;
    sine = turned;
  }
  out[i] = sum;
}

int main() {
  int n = 1 << 20;
  waves<<<n / 256, 256>>>(zeros<float>(n), zeros<float>(n), 64);
  finish();
}
