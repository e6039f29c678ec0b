#include "cases/transpose.h"

namespace warpwise::bench {

Case make_transpose_tiled() { return transpose({32, 32}); }

}  // namespace warpwise::bench
