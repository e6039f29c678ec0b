#include "toolchain/installation.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "toolchain/files.h"

namespace warpwise::toolchain {
namespace fs = std::filesystem;
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool executable(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::optional<Tool> tool_at(const fs::path& path) {
  if (!executable(path)) return std::nullopt;
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  auto stamp = stamp_of(real);
  if (error || !stamp) return std::nullopt;
  return Tool{path, fmt::format("{} {} {}", real.string(), stamp->size, stamp->modified_ns)};
}

// The first program of a name on PATH, of those that are meant.
std::optional<fs::path> first_on_path(std::string_view name, bool (*is_meant)(const fs::path&)) {
  std::string path = environment("PATH");
  for (size_t at = 0; at <= path.size();) {
    size_t end = std::min(path.find(':', at), path.size());
    fs::path candidate = fs::path(path.substr(at, end - at)) / name;
    if (end > at && executable(candidate) && is_meant(candidate)) return candidate;
    at = end + 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<fs::path> find_on_path(std::string_view name) {
  return first_on_path(name, [](const fs::path&) { return true; });
}

namespace {

Installation find_installation() {
  Installation found;
  std::error_code error;
  Dl_info self{};
  fs::path library_file;
  if (dladdr(reinterpret_cast<void*>(&tool_at), &self)) library_file = fs::canonical(self.dli_fname, error);
  found.libraries = library_file.parent_path();
  // LIBDIR has several parts: lib/x86_64-linux-gnu/warpwise.
  fs::path below = fs::path(WARPWISE_LIBDIR).lexically_normal();
  bool installed = below.is_relative() && found.libraries.string().ends_with(("/" / below).string());
  found.root = found.libraries;
  for (auto parts = installed ? std::distance(below.begin(), below.end()) : 1; parts > 0; --parts)
    found.root = found.root.parent_path();
  found.headers = found.root / "include/warpwise/cuda";
  // The build folder links to the source tree; what a compiler reports should name the real place.
  if (fs::path real = fs::canonical(found.headers, error); !error) found.headers = real;
  fs::path library = found.libraries / "devicelib.bc";
  if (fs::exists(library, error)) found.device_library = library;
  return found;
}

}  // namespace

// Looked for once: dladdr waits while another thread opens a library, and LLVM takes 25 ms to open.
Installation Installation::find() {
  static const Installation found = find_installation();
  return found;
}

Result<fs::path> Installation::cuda_runtime() const {
  std::error_code error;
  fs::path runtime = libraries / "libcudart.so";
  if (!fs::exists(runtime, error))
    return Error{"T0004", fmt::format("our CUDA runtime is missing: `{}`", runtime.string())};
  return runtime;
}

std::optional<Tool> bundled_clang(const Installation& here) { return tool_at(here.bundled_programs() / "clang++"); }

namespace {

// What WARPWISE_CLANG and WARPWISE_NVCC hold: a path, or a name on PATH.
std::optional<Tool> tool_named(const std::string& word) {
  if (word.find('/') != word.npos) return tool_at(word);
  auto path = find_on_path(word);
  return path ? tool_at(*path) : std::nullopt;
}

}  // namespace

std::optional<Tool> find_clang() {
  if (std::string own = environment("WARPWISE_CLANG"); !own.empty()) return tool_named(own);
  if (auto bundled = bundled_clang(Installation::find())) return bundled;
  for (const char* name : {"clang++-19", "clang++"})
    if (auto path = find_on_path(name)) return tool_at(*path);
  return std::nullopt;
}

namespace {

// Who builds other people's programs puts a script on PATH that calls `warpwise nvcc`: ours (lib/warpwise/bin/nvcc), or
// one of their own. It is not the nvcc that we fall back to, but us again.
bool is_nvidias(const fs::path& nvcc) {
  constexpr size_t kLongestScript = 4096;
  std::ifstream file(nvcc, std::ios::binary);
  std::string text(kLongestScript, '\0');
  file.read(text.data(), kLongestScript);
  text.resize(file.gcount());
  return !text.starts_with("#!") || text.find("warpwise") == text.npos;
}

}  // namespace

std::optional<Tool> find_nvcc() {
  if (std::string own = environment("WARPWISE_NVCC"); !own.empty()) return tool_named(own);
  if (auto path = first_on_path("nvcc", is_nvidias)) return tool_at(*path);
  for (const std::string& home : {environment("CUDA_HOME"), environment("CUDA_PATH"), std::string("/usr/local/cuda")})
    if (!home.empty())
      if (auto tool = tool_at(fs::path(home) / "bin/nvcc")) return tool;
  return std::nullopt;
}

fs::path toolkit_headers(const Tool& nvcc) {
  std::error_code error;
  fs::path real = fs::canonical(nvcc.path, error);
  fs::path headers = real.parent_path().parent_path() / "include";
  return !error && fs::exists(headers / "cuda_runtime.h", error) ? headers : fs::path();
}

std::string fastest_linker(const Tool& clang) {
  // Clang looks for ld.NAME beside itself, then on PATH.
  std::error_code error;
  fs::path beside = fs::canonical(clang.path, error).parent_path();
  const bool bundled = !error && fs::equivalent(beside, Installation::find().bundled_programs(), error);
  for (const char* name : {"mold", "lld", "gold"}) {
    std::string program = fmt::format("ld.{}", name);
    if (executable(beside / program) || (!bundled && find_on_path(program))) return name;
  }
  return "";
}

std::optional<fs::path> find_object_tool(std::string_view name) {
  for (const fs::path& folder :
       {Installation::find().bundled_programs(), fs::path("/usr/bin"), fs::path("/usr/local/bin"), fs::path("/bin")})
    if (executable(folder / name)) return folder / name;
  return std::nullopt;
}

}  // namespace warpwise::toolchain
