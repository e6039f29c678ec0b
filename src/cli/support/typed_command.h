// A command as it was typed, for reports: "warpwise profile 'my file.cu'".
#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"
#include "toolchain/process.h"

namespace warpwise::cli {

inline std::string typed_command(std::string_view name, const Words& words) {
  Words typed{"warpwise", std::string(name)};
  typed.insert(typed.end(), words.begin(), words.end());
  return toolchain::shell_quoted(typed);
}

}  // namespace warpwise::cli
