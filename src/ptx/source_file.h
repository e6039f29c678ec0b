// The file that a place in PTX belongs to: the one of its .loc directive, else the PTX itself.
#pragma once

#include <string>

#include "ptx/module.h"

namespace warpwise::ptx {

// "": neither is known.
inline std::string file_of(const Module& module, const SourceLocation& at) {
  std::string file = at.file < module.files.size() ? module.files[at.file] : "";
  if (file.empty() && module.source) file = module.source->name();
  return file;
}

}  // namespace warpwise::ptx
