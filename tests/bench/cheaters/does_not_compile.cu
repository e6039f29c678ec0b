// A name that is declared nowhere.
extern "C" void solve(const float* a, const float* b, float* sum, int n) { add_them(a, b, sum, n); }
