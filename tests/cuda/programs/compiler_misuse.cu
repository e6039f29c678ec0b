// Wrong calls of NVRTC and nvJitLink, and their codes. Neither needs a GPU; NVIDIA's own libraries (CUDA 13.0) print
// the same:
//     g++ -x c++ compiler_misuse.cu -I/usr/local/cuda/include -L/usr/local/cuda/lib64 -lnvrtc -lnvJitLink
// (Sections of the manuals: NVRTC 13.0, 3.2 to 3.5; nvJitLink 13.0, 5.1 and 5.2. Null pointers that crash NVIDIA's
// libraries are not passed.)
#include <nvJitLink.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define SHOW(call) std::printf("%s -> %s\n", #call, nvrtcGetErrorString(call))
#define LINK(call) std::printf("%s -> %s\n", #call, name_of(call))
#define VALUE(text) std::printf("%s = %lld\n", #text, (long long)(text))

const char* name_of(nvJitLinkResult result) {
  switch (result) {
#define NAME(code) \
  case code: return #code;
    NAME(NVJITLINK_SUCCESS)
    NAME(NVJITLINK_ERROR_UNRECOGNIZED_OPTION)
    NAME(NVJITLINK_ERROR_MISSING_ARCH)
    NAME(NVJITLINK_ERROR_INVALID_INPUT)
    NAME(NVJITLINK_ERROR_PTX_COMPILE)
    NAME(NVJITLINK_ERROR_INTERNAL)
    NAME(NVJITLINK_ERROR_NULL_INPUT)
    NAME(NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS)
    NAME(NVJITLINK_ERROR_INCORRECT_INPUT_TYPE)
    NAME(NVJITLINK_ERROR_UNSUPPORTED_ARCH)
    NAME(NVJITLINK_ERROR_LTO_NOT_ENABLED)
    default: break;
  }
  return "another";
}

void wrong_programs() {
  int major = 0;
  size_t size = 0;
  char text[4096];
  const char* name = nullptr;
  const char* source = "template <int N> __global__ void f(int* p) { *p = N; }\n__device__ int variable;\n";
  const char* header = "";
  nvrtcProgram program = nullptr;
  SHOW(nvrtcVersion(&major, nullptr));
  SHOW(nvrtcGetNumSupportedArchs(nullptr));
  SHOW(nvrtcGetSupportedArchs(nullptr));
  SHOW(nvrtcCreateProgram(nullptr, source, "a.cu", 0, nullptr, nullptr));
  SHOW(nvrtcCreateProgram(&program, nullptr, "a.cu", 0, nullptr, nullptr));
  SHOW(nvrtcCreateProgram(&program, source, "a.cu", -1, nullptr, nullptr));
  SHOW(nvrtcCreateProgram(&program, source, "a.cu", 1, nullptr, nullptr));
  SHOW(nvrtcCreateProgram(&program, source, "a.cu", 1, &header, nullptr));
  SHOW(nvrtcDestroyProgram(nullptr));
  SHOW(nvrtcDestroyProgram(&program));
  SHOW(nvrtcCompileProgram(nullptr, 0, nullptr));
  SHOW(nvrtcAddNameExpression(nullptr, "f<1>"));
  SHOW(nvrtcGetLoweredName(nullptr, "f<1>", &name));
  SHOW(nvrtcGetPTXSize(nullptr, &size));
  SHOW(nvrtcGetPTX(nullptr, text));
  SHOW(nvrtcGetCUBINSize(nullptr, &size));
  SHOW(nvrtcGetCUBIN(nullptr, text));
  SHOW(nvrtcGetLTOIRSize(nullptr, &size));
  SHOW(nvrtcGetLTOIR(nullptr, text));
  SHOW(nvrtcGetOptiXIRSize(nullptr, &size));
  SHOW(nvrtcGetOptiXIR(nullptr, text));
  SHOW(nvrtcGetProgramLogSize(nullptr, &size));
  SHOW(nvrtcGetProgramLog(nullptr, text));
  SHOW(nvrtcGetPCHHeapSize(nullptr));
  SHOW(nvrtcGetPCHCreateStatus(nullptr));
  SHOW(nvrtcSetFlowCallback(nullptr, nullptr, nullptr));

  SHOW(nvrtcCreateProgram(&program, source, nullptr, 0, nullptr, nullptr));
  SHOW(nvrtcGetPTXSize(program, &size));
  SHOW(nvrtcGetCUBINSize(program, &size));
  SHOW(nvrtcGetLTOIRSize(program, &size));
  SHOW(nvrtcGetProgramLogSize(program, &size));
  SHOW(nvrtcGetLoweredName(program, "f<1>", &name));
  SHOW(nvrtcAddNameExpression(program, nullptr));
  SHOW(nvrtcAddNameExpression(program, "f<1>"));
  SHOW(nvrtcAddNameExpression(program, "f<1>"));
  SHOW(nvrtcGetPCHCreateStatus(program));
  SHOW(nvrtcSetFlowCallback(program, nullptr, nullptr));
  SHOW(nvrtcCompileProgram(program, -1, nullptr));
  SHOW(nvrtcCompileProgram(program, 1, nullptr));
  const char* unknown[] = {"-no-such-option"};
  SHOW(nvrtcCompileProgram(program, 1, unknown));
  const char* no_such_architecture[] = {"-arch=sm_10"};
  SHOW(nvrtcCompileProgram(program, 1, no_such_architecture));
  SHOW(nvrtcCompileProgram(program, 0, nullptr));
  SHOW(nvrtcCompileProgram(program, 0, nullptr));
  SHOW(nvrtcAddNameExpression(program, "f<2>"));
  SHOW(nvrtcGetLoweredName(program, nullptr, &name));
  SHOW(nvrtcGetLoweredName(program, "f<1>", nullptr));
  SHOW(nvrtcGetLoweredName(program, "f<2>", &name));
  SHOW(nvrtcGetLoweredName(program, "f<1>", &name));
  SHOW(nvrtcGetPTXSize(program, nullptr));
  SHOW(nvrtcGetPTX(program, nullptr));
  SHOW(nvrtcGetCUBINSize(program, nullptr));
  SHOW(nvrtcGetCUBINSize(program, &size));
  VALUE(size);
  SHOW(nvrtcGetCUBIN(program, text));
  SHOW(nvrtcGetLTOIRSize(program, &size));
  VALUE(size);
  SHOW(nvrtcGetLTOIR(program, text));
  SHOW(nvrtcGetOptiXIRSize(program, &size));
  VALUE(size);
  SHOW(nvrtcGetOptiXIR(program, text));
  SHOW(nvrtcGetProgramLogSize(program, nullptr));
  SHOW(nvrtcGetProgramLog(program, nullptr));
  SHOW(nvrtcDestroyProgram(&program));

  SHOW(nvrtcCreateProgram(&program, "__global__ void broken( {}\n", "b.cu", 0, nullptr, nullptr));
  SHOW(nvrtcCompileProgram(program, 0, nullptr));
  SHOW(nvrtcGetPTXSize(program, &size));
  SHOW(nvrtcGetPTX(program, text));
  SHOW(nvrtcGetLoweredName(program, "f<1>", &name));
  SHOW(nvrtcDestroyProgram(&program));
  SHOW(nvrtcCreateProgram(&program, "#include \"nowhere.h\"\n", "b.cu", 0, nullptr, nullptr));
  SHOW(nvrtcCompileProgram(program, 0, nullptr));
  SHOW(nvrtcDestroyProgram(&program));
  SHOW(nvrtcCreateProgram(&program, "int x;\n", "b.cu", 0, nullptr, nullptr));
  SHOW(nvrtcAddNameExpression(program, "missing<1>"));
  SHOW(nvrtcCompileProgram(program, 0, nullptr));
  SHOW(nvrtcDestroyProgram(&program));
}

// Code of NVRTC for linking later (-dlto).
std::vector<char> link_time_code() {
  nvrtcProgram program = nullptr;
  const char* options[] = {"-dlto", "-arch=sm_90"};
  size_t size = 0;
  SHOW(nvrtcCreateProgram(&program, "__device__ int f(int x) { return x + 1; }\n", "f.cu", 0, nullptr, nullptr));
  SHOW(nvrtcCompileProgram(program, 2, options));
  SHOW(nvrtcGetPTXSize(program, &size));
  VALUE(size);
  SHOW(nvrtcGetCUBINSize(program, &size));
  VALUE(size);
  SHOW(nvrtcGetLTOIRSize(program, &size));
  VALUE(size > 0);
  std::vector<char> code(size);
  SHOW(nvrtcGetLTOIR(program, nullptr));
  SHOW(nvrtcGetLTOIR(program, code.data()));
  SHOW(nvrtcDestroyProgram(&program));
  return code;
}

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
const char kCaller[] = HEAD
    ".extern .func (.param .b32 r) f(.param .b32 a);\n"
    ".visible .entry k(.param .u64 p) {\n"
    "  .reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
    "  { .param .b32 a; .param .b32 r; mov.b32 %r1, 1; st.param.b32 [a], %r1; call (r), f, (a); ld.param.b32 %r2, [r]; }\n"
    "  ld.param.u64 %rd1, [p]; st.global.b32 [%rd1], %r2; ret;\n}\n";
const char kCallee[] = HEAD
    ".visible .func (.param .b32 r) f(.param .b32 a) {\n"
    "  .reg .b32 %r<3>; ld.param.b32 %r1, [a]; add.s32 %r2, %r1, 41; st.param.b32 [r], %r2; ret;\n}\n";
const char kBroken[] = HEAD ".visible .entry k() { no.such.instruction; }\n";
const char kNewer[] = ".version 8.7\n.target sm_100\n.address_size 64\n.visible .entry k() { ret; }\n";

nvJitLinkHandle linker(std::vector<const char*> options) {
  nvJitLinkHandle handle = nullptr;
  nvJitLinkResult result = nvJitLinkCreate(&handle, (unsigned)options.size(), options.data());
  std::printf("nvJitLinkCreate(");
  for (const char* option : options) std::printf("%s ", option);
  std::printf(") -> %s, handle %d\n", name_of(result), handle != nullptr);
  return handle;
}

void wrong_links(const std::vector<char>& code) {
  const char* architecture[] = {"-arch=sm_90"};
  size_t size = 0;
  char text[65536];
  nvJitLinkHandle handle = nullptr;
  LINK(nvJitLinkVersion(nullptr, nullptr));
  LINK(nvJitLinkCreate(nullptr, 1, architecture));
  LINK(nvJitLinkCreate(&handle, 1, nullptr));
  LINK(nvJitLinkDestroy(nullptr));
  LINK(nvJitLinkDestroy(&handle));
  LINK(nvJitLinkAddData(nullptr, NVJITLINK_INPUT_PTX, kCallee, sizeof kCallee, "callee"));
  LINK(nvJitLinkAddFile(nullptr, NVJITLINK_INPUT_PTX, "callee.ptx"));
  LINK(nvJitLinkComplete(nullptr));
  LINK(nvJitLinkGetErrorLogSize(nullptr, &size));
  linker({});
  linker({"arch=sm_90"});
  linker({"-arch"});
  linker({"--arch=sm_90"});
  linker({"-arch=hopper"});
  linker({"-arch=sm_10"});
  linker({"-arch=sm_90", "-bogus"});
  linker({"-arch=sm_90", "-O2"});
  linker({"-arch=sm_90", "-ptx"});
  linker({"-arch=compute_90"});
  linker({"-arch=compute_90", "-lto"});
  handle = linker({"-arch=sm_90", "-O3", "-lineinfo", "-maxrregcount=64", "-kernels-used=k", "-Xptxas=-v"});
  LINK(nvJitLinkGetLinkedCubinSize(handle, &size));
  LINK(nvJitLinkGetLinkedPtxSize(handle, &size));
  LINK(nvJitLinkGetErrorLogSize(handle, nullptr));
  LINK(nvJitLinkGetErrorLogSize(handle, &size));
  VALUE(size);
  LINK(nvJitLinkGetInfoLogSize(handle, &size));
  VALUE(size);
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, kCallee, 0, "callee"));
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_NONE, kCallee, sizeof kCallee, "callee"));
  LINK(nvJitLinkAddData(handle, (nvJitLinkInputType)77, kCallee, sizeof kCallee, "callee"));
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_LTOIR, kCallee, sizeof kCallee, "callee"));
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_FATBIN, kCallee, sizeof kCallee, "callee"));
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, "text", 5, "text"));
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, code.data(), code.size(), "link-time code"));
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_LTOIR, code.data(), code.size(), "link-time code"));
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, kBroken, sizeof kBroken, "broken"));
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, kNewer, sizeof kNewer, "newer"));
  LINK(nvJitLinkAddFile(handle, NVJITLINK_INPUT_PTX, nullptr));
  LINK(nvJitLinkAddFile(handle, NVJITLINK_INPUT_PTX, "no such file"));
  LINK(nvJitLinkGetErrorLogSize(handle, &size));
  VALUE(size > 0 && size < sizeof text);
  LINK(nvJitLinkGetErrorLog(handle, nullptr));
  LINK(nvJitLinkGetErrorLog(handle, text));
  VALUE(std::strstr(text, "no such file") != nullptr);
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_ANY, kCaller, sizeof kCaller - 1, nullptr));
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, kCallee, sizeof kCallee, "callee"));
  LINK(nvJitLinkComplete(handle));
  LINK(nvJitLinkGetLinkedCubinSize(handle, nullptr));
  LINK(nvJitLinkGetLinkedCubinSize(handle, &size));
  VALUE(size > 0 && size <= sizeof text);
  LINK(nvJitLinkGetLinkedCubin(handle, nullptr));
  LINK(nvJitLinkGetLinkedCubin(handle, text));
  LINK(nvJitLinkGetLinkedPtxSize(handle, &size));
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, kCallee, sizeof kCallee, "callee"));
  LINK(nvJitLinkComplete(handle));
  LINK(nvJitLinkDestroy(&handle));
  VALUE(handle == nullptr);

  handle = linker({"-arch=sm_90"});
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, kCaller, sizeof kCaller, "caller"));
  LINK(nvJitLinkComplete(handle));  // f is not defined
  LINK(nvJitLinkGetErrorLogSize(handle, &size));
  VALUE(size > 0);
  LINK(nvJitLinkDestroy(&handle));
  handle = linker({"-arch=sm_90"});
  LINK(nvJitLinkComplete(handle));
  LINK(nvJitLinkGetLinkedCubinSize(handle, &size));
  VALUE(size > 0);
  LINK(nvJitLinkDestroy(&handle));

  handle = linker({"-arch=sm_90", "-lto"});
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_LTOIR, code.data(), code.size(), "link-time code"));
  LINK(nvJitLinkComplete(handle));
  LINK(nvJitLinkGetLinkedPtxSize(handle, &size));
  LINK(nvJitLinkGetLinkedCubinSize(handle, &size));
  LINK(nvJitLinkDestroy(&handle));
  handle = linker({"-arch=compute_90", "-lto", "-ptx"});
  LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_LTOIR, code.data(), code.size(), "link-time code"));
  LINK(nvJitLinkGetLinkedPtxSize(handle, &size));
  LINK(nvJitLinkComplete(handle));
  LINK(nvJitLinkGetLinkedCubinSize(handle, &size));
  LINK(nvJitLinkGetLinkedPtxSize(handle, &size));
  VALUE(size > 0 && size <= sizeof text);
  LINK(nvJitLinkGetLinkedPtx(handle, nullptr));
  LINK(nvJitLinkGetLinkedPtx(handle, text));
  VALUE(std::strstr(text, ".target sm_90") != nullptr);
  LINK(nvJitLinkDestroy(&handle));
}

int main() {
  wrong_programs();
  wrong_links(link_time_code());
}
