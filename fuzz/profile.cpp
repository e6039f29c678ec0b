// A profile that --save kept, as the baseline of another run: whatever the file says, reading it ends in counts, and
// the report of such counts can be written, alone and beside another. They may be absurd, so the report may be, too.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "perf/counters/records.h"
#include "perf/report/compare.h"
#include "perf/report/text.h"

using namespace warpwise;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  perf::Profile profile = perf::read_records({reinterpret_cast<const char*>(data), size});
  (void)perf::to_records(profile);
  const perf::Analysis analysis = perf::analyse(profile, device::default_device());
  const perf::Comparison comparison = perf::compare(analysis, analysis);
  (void)perf::to_text(comparison, false);
  (void)perf::regressions(comparison, 0.1);
  return 0;
}
