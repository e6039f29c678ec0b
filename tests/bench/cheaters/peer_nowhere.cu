// peer: Nowhere's library
// library: libnowhere.so.1
extern "C" void solve(const float*, const float*, float*, int) {}
