// A linker of nvJitLink: the modules that it was given, and what became of them.
//
//     nvJitLinkAddData ─► PTX of each module ─► nvJitLinkComplete: ptx::link ─► one module, which is the cubin and the
//     PTX
//
// NVIDIA's linker makes machine code. A virtual GPU runs PTX, so what comes out here is PTX again, and cuModuleLoadData
// takes it as it takes a cubin. In the same way our NVRTC's link-time code (-dlto) is PTX (link_time_code.h); that of
// NVIDIA's compilers (LTO-IR) is theirs alone and is refused (R0208), like machine code (R0201).
//
// Codes are those of NVIDIA's library of CUDA 13.0, which needs no GPU, where it was asked
// (tests/cuda/programs/compiler_misuse.cu).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "nvJitLink.h"
#include "nvjitlink/options.h"

struct nvJitLink {
  // `name` is for messages. Every failure is told in `errors`, too.
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
  bool complete_ = false;  // complete() was called; nothing comes behind it
};
