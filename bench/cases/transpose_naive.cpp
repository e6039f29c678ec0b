#include "cases/transpose.h"

namespace warpwise::bench {

Case make_transpose_naive() { return transpose({32, 8}); }

}  // namespace warpwise::bench
