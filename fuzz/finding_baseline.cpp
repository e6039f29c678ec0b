// A baseline of findings lies in the project that is checked: whatever the file says, reading it ends in fingerprints
// or in an error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "check/report/baseline.h"

using namespace warpwise::check::report;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)parse_baseline({reinterpret_cast<const char*>(data), size});
  return 0;
}
