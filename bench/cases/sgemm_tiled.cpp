#include "cases/matrix_product.h"

namespace warpwise::bench {

Case make_sgemm_tiled() { return matrix_product({16, 16}); }

}  // namespace warpwise::bench
