#include "device/gpu/driver.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace warpwise::device::gpu {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLibrary = "libcuda.so.1";

// Where distributions, NVIDIA's installers and containers put the driver. Folders of the loader's configuration and
// LD_LIBRARY_PATH come first.
constexpr const char* kUsualFolders[] = {
    "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64",       "/usr/lib",
    "/usr/local/nvidia/lib64",   "/usr/local/nvidia/lib",      "/usr/lib/wsl/lib", "/run/opengl-driver/lib",
    "/usr/local/cuda/compat",    "/lib/x86_64-linux-gnu",
};

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

// Whether an opened library stands on libwarpwise, as our own libcuda does.
bool is_ours(void* library) {
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !map) return false;
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  if (!names) return false;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED && std::string_view(names + entry->d_un.d_val).starts_with("libwarpwise"))
      return true;
  return false;
}

// The folder of the library or program that this code is in: our libcuda lies there.
fs::path own_folder() {
  Dl_info here{};
  std::error_code error;
  if (!dladdr(reinterpret_cast<const void*>(&own_folder), &here) || !here.dli_fname) return {};
  return fs::canonical(here.dli_fname, error).parent_path();
}

Error no_driver(std::string detail) {
  return {"R0601", fmt::format("there is no GPU to run on: {}", std::move(detail))};
}

// Opens a file unless it is a library of ours; null, with the reason, where it cannot be.
void* open_file(const fs::path& file, std::string* why) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    *why = dlerror();
    return nullptr;
  }
  if (!is_ours(library)) return library;
  dlclose(library);
  *why = fmt::format("`{}` is Warpwise's own", file.string());
  return nullptr;
}

struct Opened {
  void* library = nullptr;
  fs::path path;
};

Result<Opened> open_named(const fs::path& path) {
  std::string why;
  if (void* library = open_file(path, &why)) return Opened{library, path};
  return no_driver(fmt::format("the driver `{}` cannot be opened: {}", path.string(), why));
}

Result<Opened> find_driver() {
  const fs::path ours = own_folder();
  std::string why;
  for (const fs::path& folder : folders_of_drivers()) {
    std::error_code error;
    const fs::path file = folder / kLibrary;
    if (!fs::exists(file, error)) continue;
    if (fs::path real = fs::canonical(folder, error); !error && real == ours) continue;
    std::string reason;
    if (void* library = open_file(file, &reason)) return Opened{library, file};
    why = std::move(reason);
  }
  return no_driver(why.empty() ? fmt::format("NVIDIA's driver ({}) is not installed", kLibrary) : why);
}

}  // namespace

std::vector<fs::path> folders_of_drivers() {
  std::vector<fs::path> folders;
  auto add = [&](const std::string& folder) {
    if (folder.starts_with('/') && std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.emplace_back(folder);
  };
  if (const char* path = std::getenv("LD_LIBRARY_PATH")) {
    std::istringstream words(path);
    for (std::string folder; std::getline(words, folder, ':');) add(folder);
  }
  std::error_code error;
  std::vector<fs::path> lists;
  for (const fs::directory_entry& entry : fs::directory_iterator("/etc/ld.so.conf.d", error))
    if (entry.path().extension() == ".conf") lists.push_back(entry.path());
  std::sort(lists.begin(), lists.end());
  for (const fs::path& list : lists) {
    std::ifstream lines(list);
    for (std::string line; std::getline(lines, line);) add(line.substr(0, line.find_last_not_of(" \t\r") + 1));
  }
  for (const char* folder : kUsualFolders) add(folder);
  return folders;
}

Result<std::shared_ptr<const Driver>> Driver::open(const fs::path& asked) {
  const char* variable = std::getenv(kDriverVariable);
  const fs::path named = !asked.empty() ? asked : fs::path(variable ? variable : "");
  Opened opened = TRY(named.empty() ? find_driver() : open_named(named));
  auto driver = std::make_shared<Driver>();
  driver->path_ = opened.path;
  // The library stays open: the driver has threads of its own that outlive every device.
  int missing_since = 0;
  std::string missing;
#define FUNCTION(member, symbol, since, need, parameters)                                                   \
  driver->member = reinterpret_cast<CUresult(*) parameters>(dlsym(opened.library, symbol));                 \
  if (std::string_view(#need) == "Needed" && !driver->member && (missing.empty() || since > missing_since)) \
    missing = symbol, missing_since = since;
#include "device/gpu/driver_api.inc"
#undef FUNCTION
  if (!missing.empty())
    return Error{"R0602",
                 fmt::format("the driver `{}` is too old: it has no {}, which came with CUDA {}; install a "
                             "driver for CUDA {} or later",
                             opened.path.string(), missing, version_text(missing_since), version_text(missing_since))};
  TRY(driver->start());
  return std::shared_ptr<const Driver>(std::move(driver));
}

Result<void> Driver::start() {
  if (CUresult result = init(0); result != kSuccess)
    return no_driver(fmt::format("the driver `{}` does not start: {}", path_.string(), text_of(result)));
  if (CUresult result = driver_version(&version_); result != kSuccess)
    return no_driver(fmt::format("the driver `{}` does not say its version: {}", path_.string(), text_of(result)));
  return {};
}

std::string Driver::text_of(CUresult result) const {
  const char *name = nullptr, *text = nullptr;
  if (error_name(result, &name) != kSuccess || !name) return fmt::format("error {}", result);
  if (error_text(result, &text) != kSuccess || !text) return name;
  return fmt::format("{} ({})", name, text);
}

Failure failure_of(CUresult result) {
  if (result == kSuccess) return Failure::None;
  switch (result) {
#define ERROR(code, failure) \
  case code:                 \
    return Failure::failure;
#include "device/gpu/driver_errors.inc"
#undef ERROR
  }
  constexpr CUresult kFirstOfKernels = 700;
  return result >= kFirstOfKernels ? Failure::LaunchFailure : Failure::InvalidValue;
}

Status Driver::status_of(CUresult result, std::string_view what) const {
  if (result == kSuccess) return {};
  const Failure failure = failure_of(result);
  if (!is_sticky(failure)) return {failure, fmt::format("{}: the GPU's driver says {}", what, text_of(result))};
  return {failure, fmt::format("R0603: {}: the GPU's driver says {}; the virtual GPU (without --on=gpu) names the "
                               "thread, the line and the memory",
                               what, text_of(result))};
}

Status lacks(std::string_view symbol) {
  return {Failure::NotSupported, fmt::format("R0602: the GPU's driver is too old: it has no {}", symbol)};
}

}  // namespace warpwise::device::gpu
