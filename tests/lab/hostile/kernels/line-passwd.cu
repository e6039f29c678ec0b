// verdict: forbidden
// says: /etc/passwd
// The verdict would quote the line of the mistake, and the mistake is said to be in another file.
extern "C" __global__ void add_ten(float* out, const float* a) {
#line 1 "/etc/passwd"
  out[threadIdx.x + 1] = a[threadIdx.x] + 10;
}
