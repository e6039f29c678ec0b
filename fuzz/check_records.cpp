// Records of findings come out of the program that is checked, which may have written over its memory or its files:
// whatever they are, they are findings or damaged. What was read is written and read back as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "check/records/finding_json.h"
#include "check/records/recorded_run.h"

using namespace warpwise;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  check::RecordedRun run = check::read_records({reinterpret_cast<const char*>(data), size});
  for (const Finding& finding : run.findings) {
    std::string text = check::finding_to_json(finding);
    auto again = check::finding_from_json(text);
    if (!again || check::finding_to_json(*again) != text) std::abort();
  }
  return 0;
}
