// What our NVRTC gives where NVIDIA's gives LTO-IR (-dlto), and our nvJitLink takes for it: PTX behind a line that says
// so.
//
// LTO-IR is kept apart from PTX by those who take it: a linker without -lto refuses it, and one that is given PTX as
// LTO-IR refuses that.
#pragma once

#include <string_view>

namespace warpwise::nvjitlink {

inline constexpr std::string_view kLinkTimeCodeMark = "// link-time code of Warpwise\n";

}  // namespace warpwise::nvjitlink
