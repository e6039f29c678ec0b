// clean: the caller looks
static cudaError_t choose(int device) { return cudaSetDevice(device); }
int main() { return choose(5) == cudaSuccess; }
