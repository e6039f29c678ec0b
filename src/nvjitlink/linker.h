// A linker of nvJitLink: the modules that were added, and the result.
//
//     nvJitLinkAddData ─► PTX of each module ─► nvJitLinkComplete: ptx::link ─► one module, which is both the cubin and
//                                                                               the PTX
//
// NVIDIA's linker makes machine code. A virtual GPU runs PTX, so the result here is PTX again, and cuModuleLoadData
// accepts it like a cubin. In the same way the link-time code (-dlto) of this project's NVRTC is PTX
// (link_time_code.h). The LTO-IR of NVIDIA's compilers is a private format and is refused (R0208), like machine code
// (R0201).
//
// Error codes are those of NVIDIA's library of CUDA 13.0, which needs no GPU, where it was tried
// (tests/cuda/programs/compiler_misuse.cu).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "nvJitLink.h"
#include "nvjitlink/options.h"

struct nvJitLink {
  // `name` is for messages. Every failure is also described in `errors`.
  nvJitLinkResult add(nvJitLinkInputType type, std::string_view data, std::string_view name);
  nvJitLinkResult add_file(nvJitLinkInputType type, const char* path);
  nvJitLinkResult complete();

  warpwise::nvjitlink::Options options;
  std::string linked;  // empty until complete() has succeeded
  std::string errors;

 private:
  nvJitLinkResult add_module(std::string text, std::string_view name);
  nvJitLinkResult fail(nvJitLinkResult result, std::string_view name, std::string_view sentence);
  nvJitLinkResult fail(std::string_view name, const warpwise::Error& error);

  std::vector<std::string> modules_;
  bool complete_ = false;  // complete() was called; nothing can be added after it
};
