#include "exec/loading/compiler_plugin.h"

#include <cpuid.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>

namespace warpwise::exec {
namespace {

constexpr const char* kFileName = "libwarpwise-simt.so";

// The folder of the library that this code is in.
std::filesystem::path own_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void*>(&own_folder), &info) || !info.dli_fname) return {};
  std::error_code ignored;
  auto path = std::filesystem::canonical(info.dli_fname, ignored);
  return ignored ? std::filesystem::path(info.dli_fname).parent_path() : path.parent_path();
}

// What distinguishes processors for a compiler: vendor, family, model and the feature words.
std::string processor() {
  std::string text;
  constexpr unsigned kLeaves[][2] = {{0, 0}, {1, 0}, {7, 0}, {7, 1}, {0x80000001, 0}};
  for (auto [leaf, subleaf] : kLeaves) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(leaf, subleaf, &a, &b, &c, &d);
    if (leaf == 1) b = 0, c &= ~(1u << 27);  // the number of the core that happens to run this
    text += fmt::format("{:x}.{:x}.{:x}.{:x}/", a, b, c, d);
  }
  return text;
}

// Which build of the plug-in this is, without opening it.
std::string identity_of(const std::string& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return "none";
  return fmt::format("{}:{}.{:09}", file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

}  // namespace

CompilerSource compiler_plugin(const std::string& wanted) {
  std::string path = wanted.empty() ? (own_folder() / kFileName).string() : wanted;
  CompilerSource source;
  source.identity = fmt::format("{}|{}", identity_of(path), processor());
  source.open = [path]() -> Result<simt::Compiler*> {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return Error{"R0406", fmt::format("the compiler cannot be loaded: {}", dlerror())};
    auto make = reinterpret_cast<simt::Compiler* (*)()>(dlsym(library, simt::kCompilerSymbol));
    simt::Compiler* compiler = make ? make() : nullptr;
    if (!compiler) return Error{"R0406", fmt::format("`{}` is not Warpwise's compiler", path)};
    return compiler;
  };
  return source;
}

}  // namespace warpwise::exec
