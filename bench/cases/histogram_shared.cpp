#include "cases/histogram.h"

namespace warpwise::bench {

Case make_histogram_shared() { return histogram(1024); }  // 64 bytes a thread

}  // namespace warpwise::bench
