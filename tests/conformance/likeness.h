// Compares what a program printed with what it printed elsewhere, on a GPU for instance.
//
// Times, rates and free memory differ from run to run, and sums of floats in their last digits. So lines are
// compared as text with numbers in it:
//
//     Total time: 12.3 ms            line  "Total time: # ms"         the list says that such lines vary
//     checksum = 158.0001            line  "checksum = #"             158.0001 is near enough to 158 at a tolerance
//
// The text must be the same. Blanks count as one, and lines without text, or that Warpwise wrote itself, not at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::conformance {

// What differs first, as a sentence with both lines; "" where nothing does. `varies` are extended regular
// expressions: the numbers of a line that matches one may be any. Other numbers may differ by `tolerance` times
// the larger of the two.
std::string first_difference(std::string_view printed, std::string_view wanted, const std::vector<std::string>& varies,
                             double tolerance);

}  // namespace warpwise::conformance
