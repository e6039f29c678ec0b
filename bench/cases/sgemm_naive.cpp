#include "cases/matrix_product.h"

namespace warpwise::bench {

Case make_sgemm_naive() { return matrix_product({32, 8}); }

}  // namespace warpwise::bench
