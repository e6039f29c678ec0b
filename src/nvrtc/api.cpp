// The functions that libnvrtc exports.
//
// Where NVIDIA's compiler produces machine code (-arch=sm_90), this one returns the PTX again: cuModuleLoadData accepts
// either, and a virtual GPU runs PTX alone. Link-time code (-dlto) is also PTX, in a wrapping that this project's
// nvJitLink recognises. The option for OptiX code is refused, so there is never any.
#include <algorithm>
#include <cstring>
#include <memory>

#include "base/live_handles.h"
#include "nvrtc/program.h"

namespace {

constexpr int kArchitectures[] = {75, 80, 86, 87, 89, 90};  // those of CUDA 13 that Clang 19 supports

using Programs = warpwise::LiveHandles<_nvrtcProgram>;

bool known(nvrtcProgram program) { return Programs::instance().contains(program); }

// No exception may reach the program.
template <class Body>
nvrtcResult guarded(Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

// A text is returned in two calls: first its size, including the terminating zero, then the text.
nvrtcResult size_of(const std::string& text, size_t* size) {
  if (!size) return NVRTC_ERROR_INVALID_INPUT;
  *size = text.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult copy_of(const std::string& text, char* out) {
  if (!out) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(out, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}

// The same for code of a kind that the options need not have asked for; whatever its kind, it is PTX.
template <class Has>
nvrtcResult size_of_code(nvrtcProgram program, size_t* size, Has&& has) {
  if (!known(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!size) return NVRTC_ERROR_INVALID_INPUT;
  *size = has(*program) && !program->ptx.empty() ? program->ptx.size() + 1 : 0;
  return NVRTC_SUCCESS;
}
template <class Has>
nvrtcResult copy_of_code(nvrtcProgram program, char* out, Has&& has) {
  if (!known(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!out) return NVRTC_ERROR_INVALID_INPUT;
  return has(*program) && !program->ptx.empty() ? copy_of(program->ptx, out) : NVRTC_SUCCESS;
}

}  // namespace

#pragma GCC visibility push(default)

const char* nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
#define NVRTC_RESULT(name, value) \
  case name:                      \
    return #name;
#include "warpwise/nvrtc_results.inc"
#undef NVRTC_RESULT
  }
  return "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (!count) return NVRTC_ERROR_INVALID_INPUT;
  *count = static_cast<int>(std::size(kArchitectures));
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  if (!architectures) return NVRTC_ERROR_INVALID_INPUT;
  std::copy(std::begin(kArchitectures), std::end(kArchitectures), architectures);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int header_count,
                               const char* const* headers, const char* const* header_names) {
  return guarded([&] {
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!source || header_count < 0 || (header_count && (!headers || !header_names))) return NVRTC_ERROR_INVALID_INPUT;
    auto made = std::make_unique<_nvrtcProgram>();
    made->source = source;
    made->name = name && *name ? name : "default_program";
    for (int i = 0; i < header_count; ++i) {
      if (!headers[i] || !header_names[i]) return NVRTC_ERROR_INVALID_INPUT;
      made->headers.emplace_back(header_names[i], headers[i]);
    }
    *program = made.release();
    Programs::instance().add(*program);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (!program || !Programs::instance().remove(*program)) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
  return guarded([&] {
    if (!known(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (count < 0) return NVRTC_ERROR_INVALID_INPUT;
    if ((count && !options) || std::any_of(options, options + count, [](auto* o) { return !o; }))
      return NVRTC_ERROR_INVALID_OPTION;
    return program->compile({options, static_cast<size_t>(count)});
  });
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  return guarded([&] {
    if (!known(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!expression) return NVRTC_ERROR_INVALID_INPUT;
    if (program->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    if (std::find(program->expressions.begin(), program->expressions.end(), expression) == program->expressions.end())
      program->expressions.emplace_back(expression);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
  if (!known(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !name) return NVRTC_ERROR_INVALID_INPUT;
  if (!program->compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  auto found = program->lowered.find(expression);
  if (found == program->lowered.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *name = found->second.c_str();
  return NVRTC_SUCCESS;
}

// Programs that have not been compiled successfully, and code that was not asked for: empty, and no error.
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* size) {
  if (!known(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  return size_of(program->link_time_code ? std::string() : program->ptx, size);
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* ptx) {
  if (!known(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  return copy_of(program->link_time_code ? std::string() : program->ptx, ptx);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* size) {
  return size_of_code(program, size, [](const _nvrtcProgram& p) { return p.machine_code && !p.link_time_code; });
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* cubin) {
  return copy_of_code(program, cubin, [](const _nvrtcProgram& p) { return p.machine_code && !p.link_time_code; });
}

nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* size) {
  return size_of_code(program, size, [](const _nvrtcProgram& p) { return p.link_time_code; });
}
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char* ltoir) {
  return copy_of_code(program, ltoir, [](const _nvrtcProgram& p) { return p.link_time_code; });
}

nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t* size) {
  return size_of_code(program, size, [](const _nvrtcProgram&) { return false; });
}
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char* optixir) {
  return copy_of_code(program, optixir, [](const _nvrtcProgram&) { return false; });
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size) {
  if (!known(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  return size_of(program->log, size);
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  if (!known(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  return copy_of(program->log, log);
}

// Precompiled headers save time in NVIDIA's compiler. None is made here.
nvrtcResult nvrtcGetPCHHeapSize(size_t* size) {
  if (!size) return NVRTC_ERROR_INVALID_INPUT;
  *size = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcSetPCHHeapSize(size_t) { return NVRTC_SUCCESS; }
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program) {
  return known(program) ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t*) { return nvrtcGetPCHCreateStatus(program); }

// The callback may end a compilation early. Compilations here are too short for that.
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void*, void*), void*) {
  if (!known(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  return callback ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_INPUT;
}

#pragma GCC visibility pop
