#include "lab/judge/host_compiler.h"

#include <fmt/format.h>

#include <cstdlib>

#include "toolchain/cache.h"
#include "toolchain/hash.h"
#include "toolchain/installation.h"
#include "toolchain/process.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

// Part of the key: rises when this file calls the compiler in another way.
constexpr const char* kRecipe = "host 1";

Result<fs::path> find_compiler() {
  const char* own = std::getenv("CXX");
  if (own && *own)
    if (auto path = toolchain::find_on_path(own)) return *path;
  if (auto bundled = toolchain::bundled_clang(toolchain::Installation::find())) return bundled->path;
  for (const char* name : {"g++", "c++", "clang++-19", "clang++"})
    if (auto path = toolchain::find_on_path(name)) return *path;
  return Error{"T0002", "there is no C++ compiler for the code of problems: g++ is not installed"};
}

}  // namespace

Result<MadeFile> compile_for_host(const fs::path& name, const std::string& text, const std::vector<std::string>& flags,
                                  const char* product) {
  const fs::path headers = toolchain::Installation::find().root / "include";
  const fs::path compiler = TRY(find_compiler());
  toolchain::Hasher hash;
  hash.add(kRecipe).add(compiler.string()).add(name.string()).add(text).add(product);
  for (const std::string& flag : flags) hash.add(flag);
  for (const char* header : {"problem.h", "solve_main.h"})
    hash.add(TRY(toolchain::read_file(headers / "warpwise" / header)));
  if (auto stamp = toolchain::stamp_of(compiler)) hash.add(stamp->size).add(uint64_t(stamp->modified_ns));
  const std::string key = hash.hex();

  toolchain::Cache cache = toolchain::Cache::from_environment();
  if (auto folder = cache.find_folder(key)) return MadeFile{*folder / product, std::nullopt};
  auto scratch = cache.scratch();
  std::error_code error;
  if (!scratch) scratch = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  const fs::path source = scratch->path() / "source.cpp", made = scratch->path() / product;
  // #line: messages name the file that users know.
  TRY(toolchain::write_file(source, fmt::format("#line 1 \"{}\"\n{}", name.string(), text)));
  toolchain::Job job{{compiler.string(), "-std=c++20", "-O2", "-fPIC", "-I" + headers.string(), "-iquote",
                      name.parent_path().string(), source.string(), "-o", made.string()}};
  job.command.insert(job.command.end(), flags.begin(), flags.end());
  auto results = TRY(toolchain::run_jobs({job}));
  if (results[0].exit_code != 0)
    return Error{"L0006", fmt::format("`{}` does not compile:\n{}", name.string(), results[0].output)};
  fs::remove(source, error);
  if (auto kept = cache.store_folder(key, *scratch)) return MadeFile{*kept / product, std::nullopt};
  return MadeFile{made, std::move(scratch).value()};
}

}  // namespace warpwise::lab
