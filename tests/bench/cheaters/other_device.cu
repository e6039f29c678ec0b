// step: for one architecture alone
// needs: sm_100a
extern "C" void solve(const float*, const float*, float*, int) {}
