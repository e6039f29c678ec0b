// What this project's NVRTC returns in place of LTO-IR (-dlto), and its nvJitLink accepts as such: PTX after a line
// that marks it.
//
// LTO-IR and PTX must stay distinguishable: a linker without -lto refuses LTO-IR, and a linker refuses PTX that is
// passed as LTO-IR.
#pragma once

#include <string_view>

namespace warpwise::nvjitlink {

inline constexpr std::string_view kLinkTimeCodeMark = "// link-time code of Warpwise\n";

}  // namespace warpwise::nvjitlink
