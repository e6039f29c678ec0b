#include "cli/support/markdown.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "cli/support/cuda_functions.h"
#include "ptx/isa/isa.h"

namespace warpwise::cli {

namespace {

// Patterns and sets of modifiers contain bars, which would end a cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string isa_page() {
  std::string rows;
  size_t executed = 0;
  for (const ptx::Spec& spec : ptx::all_specs()) {
    bool runs = spec.state == ptx::State::Executed;
    executed += runs;
    rows += fmt::format("| `{}` | {} | {} | {}.{} | {} |\n", cell(spec.pattern),
                        spec.alternatives.empty() ? "" : fmt::format("`{}`", cell(spec.alternatives)),
                        runs ? "yes" : "no", spec.ptx_version / 10, spec.ptx_version % 10, spec.sm);
  }
  return fmt::format(
      "# PTX instructions\n\n"
      "Made by `make docs` from `src/ptx/isa/instructions.inc`; do not edit.\n\n"
      "Patterns are written as in the PTX manual: `{{.x}}` may be left out, a name like `.type` stands for its "
      "alternatives in "
      "the second column. An instruction that does not run parses and verifies; a kernel that contains it is refused "
      "with "
      "P0900 when it is launched. {} of {} rows run.\n\n"
      "| instruction | alternatives | runs | PTX | sm |\n|---|---|---|---|---|\n{}",
      executed, ptx::all_specs().size(), rows);
}

std::string cuda_api_page() {
  struct Part {
    std::vector<std::string_view> groups;
    std::map<std::string_view, std::vector<const CudaFunction*>> functions;
    size_t ready = 0, all = 0;
  };
  std::vector<std::string_view> libraries;
  std::map<std::string_view, Part> parts;
  for (const CudaFunction& function : all_cuda_functions()) {
    if (!parts.contains(function.library)) libraries.push_back(function.library);
    Part& part = parts[function.library];
    auto& group = part.functions[function.group];
    if (group.empty()) part.groups.push_back(function.group);
    group.push_back(&function);
    part.ready += function.ready;
    ++part.all;
  }
  std::string page =
      "# Functions of the CUDA libraries\n\n"
      "Made by `make docs` from `src/cuda/runtime/api.inc` and, in `include/cuda/warpwise`, `driver_api.inc`, "
      "`nvrtc_api.inc` and "
      "`nvjitlink_api.inc`; do not edit.\n\n"
      "Every function of CUDA 13 exists, so that programs load. One that is missing says its name on stderr the first "
      "time it "
      "is called and answers cudaErrorNotSupported or CUDA_ERROR_NOT_SUPPORTED. `warpwise run --what-is-missing "
      "prog.cu` "
      "lists those that a program uses.\n";
  for (std::string_view library : libraries) {
    const Part& part = parts[library];
    page += fmt::format("\n## {}: {} of {} are there\n", library, part.ready, part.all);
    for (std::string_view group : part.groups) {
      std::string ready, missing;
      for (const CudaFunction* function : part.functions.at(group)) {
        std::string& list = function->ready ? ready : missing;
        list += fmt::format("{}`{}`", list.empty() ? "" : " ", function->name);
      }
      page += fmt::format("\n### {}\n", group);
      if (!ready.empty()) page += fmt::format("\n{}\n", ready);
      if (!missing.empty()) page += fmt::format("\nMissing: {}\n", missing);
    }
  }
  return page;
}

}  // namespace warpwise::cli
