#include "cli/support/static_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/elf_file.h"
#include "cli/support/start_program.h"

namespace warpwise::cli {

namespace {

constexpr std::string_view kRegistration = "__cudaRegisterFatBinary";  // what every program with kernels calls

bool has_function(const std::vector<ElfSymbol>& symbols, std::string_view name) {
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const ElfSymbol& s) { return s.defined && s.function && s.name == name; });
}

bool mentions(const std::vector<ElfSymbol>& symbols, std::string_view name) {
  return std::any_of(symbols.begin(), symbols.end(), [&](const ElfSymbol& s) { return s.name == name; });
}

}  // namespace

Result<void> prepare_static_runtime(const std::string& program, const std::filesystem::path& libraries) {
  TRY(check_program(program));
  auto elf = ElfFile::open(program);
  if (!elf || elf->section(".nvFatBinSegment").empty()) return {};
  if (mentions(elf->dynamic_symbols(), kRegistration)) return {};  // the loader binds it to ours
  if (!has_function(elf->all_symbols(), kRegistration))
    return Error{"R0206", fmt::format("`{}` carries NVIDIA's CUDA runtime inside it and has no symbols: link it with "
                                      "`nvcc -cudart shared`",
                                      program)};
  std::string preload = libraries / "libcudart.so.13";
  if (const char* before = std::getenv("LD_PRELOAD"); before && *before) preload += fmt::format(":{}", before);
  setenv("LD_PRELOAD", preload.c_str(), 1);
  setenv("WARPWISE_STATIC_RUNTIME", "1", 1);
  return {};
}

}  // namespace warpwise::cli
