#include "lab/reference.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "toolchain/cache.h"
#include "toolchain/hash.h"
#include "toolchain/installation.h"
#include "toolchain/process.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "reference.so";
// Part of the key: what is different when this file calls the compiler in another way.
constexpr const char* kRecipe = "reference 1";

Result<fs::path> host_compiler() {
  const char* own = std::getenv("CXX");
  if (own && *own)
    if (auto path = toolchain::find_on_path(own)) return *path;
  for (const char* name : {"g++", "c++", "clang++-19", "clang++"})
    if (auto path = toolchain::find_on_path(name)) return *path;
  return Error{"T0002", "there is no C++ compiler for the references of problems: g++ is not installed"};
}

Result<void> compile(const fs::path& compiler, const fs::path& source, const fs::path& headers, const fs::path& library) {
  toolchain::Job job{{compiler.string(), "-std=c++20", "-O2", "-ffp-contract=off", "-fPIC", "-shared", "-I" + headers.string(), source.string(), "-o", library.string()}};
  auto results = TRY(toolchain::run_jobs({job}));
  if (results[0].exit_code == 0) return {};
  return Error{"L0006", fmt::format("`{}` does not compile:\n{}", source.string(), results[0].output)};
}

}  // namespace

Result<Reference> Reference::open(const Problem& problem) {
  const fs::path source = problem.folder / "reference.cpp";
  const fs::path headers = toolchain::Installation::find().root / "include";
  const fs::path compiler = TRY(host_compiler());
  toolchain::Hasher hash;
  hash.add(kRecipe).add(compiler.string()).add(TRY(toolchain::read_file(source))).add(TRY(toolchain::read_file(headers / "warpwise/problem.h")));
  if (auto stamp = toolchain::stamp_of(compiler)) hash.add(stamp->size).add(uint64_t(stamp->modified_ns));
  const std::string key = hash.hex();

  toolchain::Cache cache = toolchain::Cache::from_environment();
  std::optional<toolchain::TemporaryFolder> made;  // removed as soon as the library is open
  auto folder = cache.find_folder(key);
  if (!folder) {
    auto scratch = cache.scratch();
    std::error_code error;
    if (!scratch) scratch = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
    TRY(compile(compiler, source, headers, scratch->path() / kLibrary));
    folder = cache.store_folder(key, *scratch);
    if (!folder) {
      made = std::move(scratch).value();
      folder = made->path();
    }
  }

  Reference reference;
  reference.file_ = source;
  void* library = dlopen((*folder / kLibrary).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return Error{"L0006", fmt::format("`{}`: {}", source.string(), dlerror())};
  reference.library_ = std::shared_ptr<void>(library, [](void* l) { dlclose(l); });
  auto* entry = reinterpret_cast<const problem::Entry* (*)()>(dlsym(library, "warpwise_problem"));
  if (!entry) return Error{"L0006", fmt::format("`{}` does not end in WARPWISE_PROBLEM(…)", source.string())};
  reference.entry_ = entry();
  if (reference.entry_->version != problem::kInterfaceVersion)
    return Error{"L0006", fmt::format("`{}` is made for another version of <warpwise/problem.h>", source.string())};
  return reference;
}

Result<void> Reference::step(const char* (*function)(problem::RawCase*), problem::RawCase& c) const {
  if (const char* why = function(&c)) return Error{"L0007", fmt::format("`{}`: {}", file_, why)};
  return {};
}

}  // namespace warpwise::lab
