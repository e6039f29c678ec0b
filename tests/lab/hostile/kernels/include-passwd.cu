// verdict: forbidden
// says: /etc/passwd
// A file of the machine as source: its lines would come back as messages.
#include "/etc/passwd"
extern "C" __global__ void add_ten(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] + 10;
}
