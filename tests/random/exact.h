// What a program must not say where a GPU judges it (--exact): what the manual leaves open, and what ptxas makes wrong.
// Found by asking an H200 (driver 580) opcode by opcode.
#pragma once

#include <string>
#include <string_view>

namespace warpwise::random_programs {

// Whether a form of the table is left out altogether.
bool is_open_to_gpus(std::string_view form);

// The lines to put before instruction `text`, which then reads what they settle; and its guard, where it may have one.
std::string settle_for_gpu(std::string& text, std::string& guard);

}  // namespace warpwise::random_programs
