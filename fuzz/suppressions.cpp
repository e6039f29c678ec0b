// A file of suppressions comes with the project that is checked: whatever it says, reading it ends in patterns with
// reasons or in an error, and a pattern that was read is the same when it is read again.
#include "check/report/suppressions.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace warpwise;
using namespace warpwise::check::report;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto all = parse_suppressions({reinterpret_cast<const char*>(data), size}, "suppressions");
  if (!all) return 0;
  Finding finding;
  finding.code = "C0203";
  finding.parties.emplace_back().code.frames.push_back(
      {.file = "src/a/scan.cu", .line = 40, .column = 0, .function = {}});
  for (const Suppression& one : *all) {
    if (one.reason.empty()) std::abort();
    (void)matches(one, finding);
    auto again = parse_suppression(one.text, one.reason);
    if (!again || again->code != one.code || again->file != one.file || again->line != one.line) std::abort();
  }
  return 0;
}
