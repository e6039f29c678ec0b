#include "nvjitlink/linker.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

#include "base/diagnostics.h"
#include "cuda/runtime/module/fatbinary.h"
#include "exec/device_runtime/device_runtime.h"
#include "exec/interpreter/program.h"
#include "nvjitlink/link_time_code.h"
#include "ptx/layout.h"
#include "ptx/link.h"
#include "ptx/parse/parser.h"

namespace {

using namespace warpwise;

enum class Form { Ptx, LinkTimeCode, Container, Elf, Archive, NvidiaLinkTimeCode, Unknown };

// The form of the bytes, whatever input type the caller states.
Form form_of(std::string_view data) {
  auto begins_with = [&](std::string_view magic) { return data.starts_with(magic); };
  if (begins_with("\x50\xed\x55\xba")) return Form::Container;
  if (begins_with("\x7f"
                  "ELF"))
    return Form::Elf;
  if (begins_with("!<arch>\n")) return Form::Archive;
  if (begins_with(nvjitlink::kLinkTimeCodeMark)) return Form::LinkTimeCode;
  if (begins_with("\xed\x43\x4e\x7f")) return Form::NvidiaLinkTimeCode;  // nvcc 13 -ltoir, NVRTC -dlto
  return data.find(".version") != data.npos ? Form::Ptx : Form::Unknown;
}

const char* words_for(nvJitLinkInputType type) {
  switch (type) {
    case NVJITLINK_INPUT_PTX:
      return "PTX";
    case NVJITLINK_INPUT_CUBIN:
      return "a cubin";
    case NVJITLINK_INPUT_LTOIR:
      return "LTO-IR";
    case NVJITLINK_INPUT_FATBIN:
      return "a fat binary";
    default:
      return "a module";
  }
}

// The input types that fit a form; only NVJITLINK_INPUT_ANY accepts an archive.
nvJitLinkInputType type_of(Form form) {
  switch (form) {
    case Form::Ptx:
      return NVJITLINK_INPUT_PTX;
    case Form::LinkTimeCode:
    case Form::NvidiaLinkTimeCode:
      return NVJITLINK_INPUT_LTOIR;
    case Form::Container:
      return NVJITLINK_INPUT_FATBIN;
    case Form::Elf:
      return NVJITLINK_INPUT_CUBIN;
    case Form::Archive:
      return NVJITLINK_INPUT_LIBRARY;
    case Form::Unknown:
      break;
  }
  return NVJITLINK_INPUT_NONE;
}

// A sentence on an undefined function that a kernel may call, or on what is wrong with the module.
std::optional<std::string> undefined_in(std::string_view text) {
  std::vector<std::string_view> parts{text};
  if (exec::needs_device_runtime(text)) parts.push_back(exec::device_runtime_ptx());
  auto whole = ptx::link(parts);
  if (!whole) return fmt::format("{}: {}", whole.error().code, whole.error().message);
  Diagnostics diagnostics;
  auto module = ptx::load(std::make_shared<SourceText>("linked", std::move(whole).value()), diagnostics);
  if (!module) return render_text(diagnostics, /*color=*/false);
  for (uint32_t kernel = 0; kernel < module->functions.size(); ++kernel) {
    if (!module->functions[kernel].is_entry) continue;
    const ptx::KernelLayout layout = ptx::lay_out_kernel(*module, kernel);
    for (size_t f = 0; f < module->functions.size(); ++f) {
      const ptx::Function& callee = module->functions[f];
      if (layout.reachable[f] && callee.is_declaration &&
          exec::interpreter::service_of(callee) == exec::interpreter::Service::None)
        return fmt::format("P0901: `{}` is declared .extern and no module defines it; `{}` may call it", callee.name,
                           module->functions[kernel].name);
    }
  }
  return std::nullopt;
}

constexpr std::string_view kMachineCode =
    "R0201: this is machine code of a real GPU: give its PTX (nvcc -ptx -rdc=true), or a fat binary with PTX in it";
constexpr std::string_view kLinkTimeCode =
    "R0208: LTO-IR is a form of NVIDIA's own that cannot be read: compile without -dlto to PTX (nvcc -ptx -rdc=true)";
constexpr std::string_view kHostCode =
    "R0208: objects and libraries of host code cannot be linked: give the PTX of their device code (nvcc -ptx "
    "-rdc=true)";

}  // namespace

nvJitLinkResult nvJitLink::fail(nvJitLinkResult result, std::string_view name, std::string_view sentence) {
  errors += fmt::format("{}: {}\n", name, sentence);
  return result;
}

nvJitLinkResult nvJitLink::fail(std::string_view name, const Error& error) {
  return fail(error.code == "R0202" ? NVJITLINK_ERROR_ARCH_MISMATCH : NVJITLINK_ERROR_UNRECOGNIZED_INPUT, name,
              fmt::format("{}: {}", error.code, error.message));
}

nvJitLinkResult nvJitLink::add(nvJitLinkInputType type, std::string_view data, std::string_view name) {
  if (complete_) return fail(NVJITLINK_ERROR_INTERNAL, name, "nothing can be added after nvJitLinkComplete");
  if (data.empty()) return fail(NVJITLINK_ERROR_INVALID_INPUT, name, "there is no data");
  switch (type) {
    case NVJITLINK_INPUT_OBJECT:
    case NVJITLINK_INPUT_LIBRARY:
      return fail(NVJITLINK_ERROR_UNRECOGNIZED_INPUT, name, kHostCode);
    case NVJITLINK_INPUT_INDEX:
      return fail(NVJITLINK_ERROR_UNRECOGNIZED_INPUT, name, "R0208: index files cannot be read");
    case NVJITLINK_INPUT_CUBIN:
    case NVJITLINK_INPUT_PTX:
    case NVJITLINK_INPUT_LTOIR:
    case NVJITLINK_INPUT_FATBIN:
    case NVJITLINK_INPUT_ANY:
      break;
    default:
      return fail(NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, name,
                  fmt::format("{} is no type of input", static_cast<int>(type)));
  }
  const Form form = form_of(data);
  if (form == Form::Unknown || (type != NVJITLINK_INPUT_ANY && type != type_of(form)))
    // The result of this linker is PTX in place of a cubin, and may be linked again.
    if (!(type == NVJITLINK_INPUT_CUBIN && form == Form::Ptx))
      return fail(NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, name, fmt::format("the data is not {}", words_for(type)));
  std::string text;
  switch (form) {
    case Form::Unknown:
    case Form::Elf:
      return fail(NVJITLINK_ERROR_UNRECOGNIZED_INPUT, name, kMachineCode);
    case Form::Archive:
      return fail(NVJITLINK_ERROR_UNRECOGNIZED_INPUT, name, kHostCode);
    case Form::NvidiaLinkTimeCode:
    case Form::LinkTimeCode:
      if (!options.lto)
        return fail(NVJITLINK_ERROR_LTO_NOT_ENABLED, name, "link-time code is linked with the option -lto");
      if (form == Form::NvidiaLinkTimeCode) return fail(NVJITLINK_ERROR_UNRECOGNIZED_INPUT, name, kLinkTimeCode);
      [[fallthrough]];
    case Form::Ptx:
      text = data.substr(0, data.find('\0'));  // the size may include the terminating zero
      break;
    case Form::Container: {
      auto entries = cuda::parse_container(data);
      if (!entries) return fail(name, entries.error());
      auto ptx = cuda::choose_ptx(*entries, options.architecture);
      if (!ptx) return fail(name, ptx.error());
      text = std::move(ptx).value();
      break;
    }
  }
  return add_module(std::move(text), name);
}

// A module declares the names that another module defines, so it can be checked before the others are there.
nvJitLinkResult nvJitLink::add_module(std::string text, std::string_view name) {
  Diagnostics diagnostics;
  auto module = ptx::load(std::make_shared<SourceText>(std::string(name), text), diagnostics);
  if (!module) {
    errors += render_text(diagnostics, /*color=*/false);
    return NVJITLINK_ERROR_PTX_COMPILE;
  }
  if (module->sm > options.architecture)
    return fail(
        NVJITLINK_ERROR_PTX_COMPILE, name,
        fmt::format("R0202: the PTX is for {}, and -arch=sm_{} was requested", module->target, options.architecture));
  modules_.push_back(std::move(text));
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLink::add_file(nvJitLinkInputType type, const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string data{std::istreambuf_iterator<char>(file), {}};
  if (!file) return fail(NVJITLINK_ERROR_INVALID_INPUT, path, std::strerror(errno));
  return add(type, data, path);
}

nvJitLinkResult nvJitLink::complete() {
  if (complete_) return NVJITLINK_ERROR_INTERNAL;
  complete_ = true;
  std::vector<std::string_view> texts;
  for (const std::string& module : modules_)
    for (std::string_view part : ptx::split_modules(module)) texts.push_back(part);
  const std::string nothing = fmt::format(".version 8.0\n.target sm_{}\n.address_size 64\n", options.architecture);
  if (texts.empty()) texts.push_back(nothing);
  auto made = ptx::link(texts);
  if (!made)
    return fail(NVJITLINK_ERROR_INTERNAL, "nvJitLinkComplete",
                fmt::format("{}: {}", made.error().code, made.error().message));
  if (auto missing = undefined_in(*made)) return fail(NVJITLINK_ERROR_INTERNAL, "nvJitLinkComplete", *missing);
  linked = std::move(made).value();
  return NVJITLINK_SUCCESS;
}
