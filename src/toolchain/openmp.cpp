#include "toolchain/openmp.h"

#include <algorithm>

#include "toolchain/includes.h"

namespace warpwise::toolchain {
namespace fs = std::filesystem;
namespace {

bool turns_on(const std::string& word) { return word == "-fopenmp" || word.starts_with("-fopenmp="); }

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

bool asks_for_openmp(const CompilerFlags& flags) {
  return std::any_of(flags.clang.host.begin(), flags.clang.host.end(), turns_on);
}

bool includes_openmp(const fs::path& source, const std::vector<fs::path>& user_folders) {
  return reaches_header(source, user_folders, "omp.h");
}

bool has_openmp(const Tool& clang) {
  std::error_code error;
  // Debian keeps all of LLVM 19 in one folder; elsewhere parts of it are the system's.
  const fs::path home = fs::canonical(clang.path, error).parent_path().parent_path();
  if (error) return false;
  std::vector<fs::path> headers{"/usr/include", "/usr/local/include"},
      libraries{home / "lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib", "/usr/lib64", "/usr/local/lib"};
  for (const auto& version : fs::directory_iterator(home / "lib/clang", error))
    headers.push_back(version.path() / "include");
  return std::any_of(headers.begin(), headers.end(), [](const fs::path& f) { return is_there(f / "omp.h"); }) &&
         std::any_of(libraries.begin(), libraries.end(), [](const fs::path& f) { return is_there(f / "libomp.so"); });
}

CompilerFlags without_openmp(CompilerFlags flags, const Installation& installation) {
  std::erase_if(flags.clang.host, turns_on);
  std::erase_if(flags.clang.link, turns_on);
  std::erase(flags.clang.link, "-lgomp");
  std::erase(flags.clang.link, "-lomp");
  flags.clang.both.push_back("-idirafter" + (installation.headers / "warpwise/serial").string());
  return flags;
}

}  // namespace warpwise::toolchain
