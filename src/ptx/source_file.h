// The file that a place in PTX belongs to: the one of its .loc directive, else the PTX itself. And whether it is a file
// of CUDA, where users can change nothing: an atomicAdd is an instruction in a header, called at a line of the program.
#pragma once

#include <string>
#include <string_view>

#include "ptx/module.h"

namespace warpwise::ptx {

// "": neither is known.
inline std::string file_of(const Module& module, const SourceLocation& at) {
  std::string file = at.file < module.files.size() ? module.files[at.file] : "";
  if (file.empty() && module.source) file = module.source->name();
  return file;
}

// Headers of Clang, ours (in a build and installed), and NVIDIA's.
inline bool is_of_cuda(std::string_view file) {
  for (std::string_view folder : {"/include/cuda/", "/include/warpwise/cuda/", "/targets/x86_64-linux/include/"})
    if (file.find(folder) != file.npos) return true;
  return file.ends_with("__clang_cuda_builtin_vars.h");
}

}  // namespace warpwise::ptx
