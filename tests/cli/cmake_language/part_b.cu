// Linked into the program's device code.
__device__ int twice(int x) { return 2 * x; }
