#include "cases/histogram.h"

namespace warpwise::bench {

Case make_histogram_global() { return histogram(blocks_for(1 << 24, 256)); }

}  // namespace warpwise::bench
