// The toolchain compiles the program's text like any other text, to PTX alone. Two things are added to it:
//
//   -default-device     the text stands between pragmas of Clang that make functions host and device functions
//   name expressions    after it stand variables that are initialised with the expressions' addresses:
//
//                           extern "C" __device__ const void* const __warpwise_name_0 = (const void*)(&f<int>);
//
//                       This instantiates the template and puts its name into the PTX; the variables are removed from
//                       the PTX again.
#include "nvrtc/program.h"

#include <fmt/format.h>

#include <filesystem>

#include "device/device_file.h"
#include "device/gpu/gpu.h"
#include "exec/options.h"
#include "nvjitlink/link_time_code.h"
#include "nvrtc/options.h"
#include "toolchain/installation.h"
#include "warpwise/compile.h"

namespace {

using namespace warpwise;

constexpr std::string_view kVariable = "__warpwise_name_";

// The architecture of the device that the process will open, for programs that ask for none.
unsigned device_architecture() {
  auto options = exec::options_from_environment();
  const device::Properties* device = &device::default_device();
  if (!options) return device->major * 10 + device->minor;
  if (auto place = device::gpu::read_place(options->on); place.ok() && place.value())
    if (auto gpu = device::gpu::find(*place.value())) {
      const device::Properties& p = gpu.value()->properties;
      return p.major * 10 + p.minor;
    }
  if (auto named = device::device_named(options->device); named.ok()) device = named.value();
  return device->major * 10 + device->minor;
}

std::string text_to_compile(const _nvrtcProgram& program, bool default_device) {
  std::string text;
  if (default_device) text += fmt::format("#pragma clang force_cuda_host_device begin\n#line 1 \"{}\"\n", program.name);
  text += program.source;
  text += '\n';
  if (default_device) text += "#pragma clang force_cuda_host_device end\n";
  for (size_t i = 0; i < program.expressions.size(); ++i)
    text += fmt::format(
        "#line 1 \"name expression {}\"\nextern \"C\" __device__ __attribute__((used)) const void* const "
        "{}{} = (const void*)({});\n",
        i + 1, kVariable, i, program.expressions[i]);
  return text;
}

// Removes the lines of these variables from the PTX and reads the names from them:
//     .visible .const .align 8 .u64 __warpwise_name_0 = generic(_Z1fIiEvPT_);
void take_names(_nvrtcProgram& program) {
  std::string kept;
  std::string_view rest = program.ptx;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n') == rest.npos ? rest.size() : rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    size_t variable = line.find(kVariable), equals = line.find(" = ");
    if (variable == line.npos || equals == line.npos || line.front() != '.') {
      kept += line;
      continue;
    }
    size_t index =
        std::stoul(std::string(line.substr(variable + kVariable.size(), equals - variable - kVariable.size())));
    std::string_view name = line.substr(equals + 3);
    name = name.substr(0, name.find(';'));
    if (name.starts_with("generic(")) name = name.substr(8, name.find(')') - 8);
    if (index < program.expressions.size()) program.lowered[program.expressions[index]] = name;
  }
  program.ptx = std::move(kept);
}

// The messages without the sentence that compilation failed, which the result code already says.
std::string messages_of(const Error& error) {
  if (error.code != "T0003") return fmt::format("error[{}]: {}\n", error.code, error.message);
  size_t first_line = error.message.find('\n');
  return first_line == error.message.npos ? error.message : error.message.substr(first_line + 1);
}

}  // namespace

nvrtcResult _nvrtcProgram::compile(std::span<const char* const> words) {
  ptx.clear();
  log.clear();
  lowered.clear();
  auto options = nvrtc::parse_options(words);
  if (!options) {
    log = fmt::format("error[{}]: {}\n", options.error().code, options.error().message);
    return NVRTC_ERROR_INVALID_OPTION;
  }
  CompileOptions request;
  request.architecture = device_architecture();
  request.flags = options->flags;
  request.headers = headers;
  std::filesystem::path path(name);
  request.name = path.filename();
  if (request.name.empty()) request.name = "default_program";
  // `#include "x.h"` searches the folder of the source's name.
  if (options->source_folder)
    request.flags.push_back("-I" + (path.has_parent_path() ? path.parent_path().string() : "."));
  request.on_message = [this](std::string_view text) { log += text; };
  // By this macro sources recognise NVRTC. NVIDIA's headers do not compile with it outside NVRTC.
  if (toolchain::find_clang()) {
    request.compiler = Compiler::Clang;
    request.flags.push_back("-D__CUDACC_RTC__=1");
  }
  auto made = compile_cuda(text_to_compile(*this, options->default_device), request);
  compiled = made.ok();
  machine_code = options->machine_code;
  link_time_code = options->link_time_code;
  if (!made) {
    log += messages_of(made.error());
    return made.error().code == "T0005" || made.error().code == "T0006" ? NVRTC_ERROR_INVALID_OPTION
                                                                        : NVRTC_ERROR_COMPILATION;
  }
  ptx = std::move(made).value();
  take_names(*this);
  if (link_time_code) ptx.insert(0, nvjitlink::kLinkTimeCodeMark);
  return NVRTC_SUCCESS;
}
