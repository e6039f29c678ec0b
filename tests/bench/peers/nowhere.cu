// peer: Nowhere
// library: libnowhere.so.1
extern "C" void solve(const float*, const float*, float*, int) {}
