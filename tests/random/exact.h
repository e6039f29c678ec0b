// What a program must not contain when it is compared with a GPU (--exact): what the manual leaves open, and what ptxas
// translates wrongly. Found by comparing each opcode with an H200 (driver 580).
#pragma once

#include <string>
#include <string_view>

namespace warpwise::random_programs {

// Whether a form of the table is left out altogether.
bool is_open_to_gpus(std::string_view form);

// The lines to put before instruction `text`, which then reads what they compute; and its guard, where it may have one.
std::string settle_for_gpu(std::string& text, std::string& guard);

}  // namespace warpwise::random_programs
