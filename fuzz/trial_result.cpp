// Results of trials come out of a child that has run untrusted code: whatever its lines say, the judge reads a
// result or an error. What was read is written and read back as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lab/trial/test_device.h"

using namespace warpwise::lab;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto result = trial_result_from_json({reinterpret_cast<const char*>(data), size});
  if (!result) return 0;
  std::string text = to_json(*result);
  auto again = trial_result_from_json(text);
  if (!again || to_json(*again) != text) std::abort();
  return 0;
}
