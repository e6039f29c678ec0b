#include "cli/support/what_is_missing.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "base/diagnostics.h"
#include "base/elf_file.h"
#include "cli/support/cuda_functions.h"
#include "ptx/parse/parser.h"
#include "toolchain/device_code.h"
#include "toolchain/nvidia_libraries.h"

namespace warpwise::cli {

namespace {

namespace fs = std::filesystem;

// The symbols that belong to CUDA's own libraries, ours or not: cudaMalloc, cuInit, __cudaPushCall..., nvrtc...
bool of_cuda(std::string_view name) {
  auto upper_after = [&](std::string_view prefix) {
    return name.starts_with(prefix) && name.size() > prefix.size() && name[prefix.size()] >= 'A' &&
           name[prefix.size()] <= 'Z';
  };
  return upper_after("cuda") || upper_after("cu") || upper_after("__cuda") || upper_after("nvrtc");
}

// Whether the loader would find it: beside our libraries, or where it looks anyway.
bool can_be_loaded(std::string_view library, const fs::path& libraries) {
  std::error_code error;
  if (fs::exists(libraries / library, error)) return true;
  void* handle = dlopen(std::string(library).c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle) dlclose(handle);
  return handle != nullptr;
}

class Search {
 public:
  // Counts each instruction that is only recognised, with the kernels it is in.
  void check_ptx(const std::string& text) {
    Diagnostics diagnostics;
    auto module = ptx::load(std::make_shared<SourceText>("PTX", text), diagnostics);
    if (!module) {
      add("PTX that is refused", render_text(diagnostics, /*color=*/false));
      return;
    }
    for (const ptx::Function& function : module->functions)
      for (const ptx::Instruction& instruction : function.instructions)
        if (instruction.spec().state != ptx::State::Executed)
          instructions_[std::string(instruction.spec().pattern)].emplace(function.name);
  }

  void check_symbols(const ElfFile& program) {
    for (const ElfSymbol& symbol : program.dynamic_symbols()) {
      if (symbol.defined || !of_cuda(symbol.name)) continue;
      const CudaFunction* function = find_cuda_function(symbol.name);
      if (function && !function->ready)
        add(fmt::format("functions of the {} that Warpwise does not have yet", function->library),
            std::string(symbol.name));
    }
  }

  // NVIDIA's libraries need NVIDIA's driver, so that an installed one is missing as well.
  void check_libraries(const ElfFile& program, const fs::path& libraries) {
    for (std::string_view needed : program.needed()) {
      // A library without a name of its own is needed by the path that it was linked by.
      const auto known = toolchain::nvidia_library_of_file(needed);
      if (can_be_loaded(needed, libraries)) {
        if (known) add("libraries that need NVIDIA's driver", fmt::format("{} ({})", needed, *known));
        continue;
      }
      add("libraries that are not installed",
          known ? fmt::format("{} ({}: Warpwise has no copy of it)", needed, *known) : std::string(needed));
    }
  }

  void add(const std::string& kind, std::string line) {
    while (line.ends_with('\n')) line.pop_back();
    lines_[kind].insert(std::move(line));
  }

  MissingReport report() {
    for (const auto& [pattern, functions] : instructions_) {
      std::string first = *functions.begin();
      add("PTX instructions that Warpwise does not run yet",
          fmt::format("{}  in {}{}", pattern, first,
                      functions.size() > 1 ? fmt::format(" and {} more", functions.size() - 1) : ""));
    }
    MissingReport report;
    for (const auto& [kind, lines] : lines_) {
      report.text += kind + ":\n";
      for (const std::string& line : lines) report.text += fmt::format("  {}\n", line);
      report.findings += lines.size();
    }
    if (report.findings == 0) report.text = "nothing: Warpwise has everything that this program uses\n";
    return report;
  }

 private:
  std::map<std::string, std::set<std::string>> lines_;
  std::map<std::string, std::set<std::string>> instructions_;  // pattern, functions
};

}  // namespace

Result<MissingReport> what_is_missing(const std::string& program, unsigned architecture, const fs::path& modules,
                                      const fs::path& libraries) {
  ElfFile elf = TRY(ElfFile::open(program));
  Search search;
  toolchain::DeviceCode code = toolchain::device_code_of(elf, architecture, modules);
  for (const std::string& problem : code.problems) search.add("device code that cannot be used", problem);
  for (const std::string& ptx : code.ptx) search.check_ptx(ptx);
  search.check_symbols(elf);
  search.check_libraries(elf, libraries);
  return search.report();
}

}  // namespace warpwise::cli
