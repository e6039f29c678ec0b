// step: for even sizes
// takes: n % 2 == 0
extern "C" void solve(const float*, const float*, float*, int) {}
