#include "lab/problem/reference.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "lab/judge/host_compiler.h"

namespace warpwise::lab {
Result<Reference> Reference::open(const Problem& problem) {
  const std::filesystem::path source = problem.folder / "reference.cpp";
  const MadeFile library_file = TRY(
      compile_for_host(source, TRY(toolchain::read_file(source)), {"-shared", "-ffp-contract=off"}, "reference.so"));
  Reference reference;
  reference.file_ = source;
  void* library = dlopen(library_file.file.c_str(), RTLD_NOW | RTLD_LOCAL);
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
