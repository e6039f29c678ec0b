// verdict: forbidden
// says: /etc/shadow
// A pragma that compares the age of the source with that of a file of the machine.
#pragma GCC dependency "/etc/shadow"
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
