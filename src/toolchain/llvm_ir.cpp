#include "toolchain/llvm_ir.h"

#include <fmt/format.h>

#include <filesystem>

#include "toolchain/files.h"
#include "toolchain/installation.h"
#include "toolchain/process.h"
#include "toolchain/route.h"

namespace warpwise::toolchain {
namespace {

std::vector<std::string> words_for(const std::string& clang, const std::string& library, const IrRequest& request) {
  std::vector<std::string> words =
      clang_ir_words(clang, clang_architecture({}, request.architecture), /*keeps_accesses=*/request.for_check);
  auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
  add({"-Xclang", "-mlink-builtin-bitcode", "-Xclang", library, "-fno-color-diagnostics"});
  if (!request.for_check) add({"-O3"});
  if (request.contract) add({"-ffp-contract=fast"});
  if (!request.precise_division) add({"-mllvm", "-nvptx-prec-divf32=0"});
  if (!request.precise_root) add({"-mllvm", "-nvptx-prec-sqrtf32=0"});
  return words;
}

}  // namespace

Result<std::string> ptx_of_ir(std::string_view bitcode, const IrRequest& request) {
  const auto clang = find_clang();
  if (!clang) return Error{"T0002", "clang++-19 is not installed"};
  const Installation here = Installation::find();
  if (here.device_library.empty())
    return Error{"T0004", fmt::format("devicelib.bc is not in {}", here.libraries.string())};
  std::error_code error;
  const TemporaryFolder folder = TRY(TemporaryFolder::create(std::filesystem::temp_directory_path(error)));
  const std::filesystem::path input = folder.path() / "module.bc", output = folder.path() / "module.ptx";
  TRY(write_file(input, bitcode));

  std::vector<std::string> words = words_for(clang->path, here.device_library, request);
  words.insert(words.end(), {"-S", "-o", output, input});
  const std::vector<JobResult> results = TRY(run_jobs({Job{words}}));
  if (results.front().exit_code != 0) return Error{"T0003", "compiling LLVM IR failed\n" + results.front().output};
  return read_file(output);
}

}  // namespace warpwise::toolchain
