#include "toolchain/nvidia_libraries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "toolchain/messages.h"

namespace warpwise::toolchain {
namespace {

// Headers and functions begin with `prefix`.
struct Library {
  std::string_view file, prefix, name;
};
constexpr Library kLibraries[] = {
    {"libcublas", "cublas", "cuBLAS"},
    {"libcufft", "cufft", "cuFFT"},
    {"libcurand", "curand", "cuRAND"},
    {"libcusolver", "cusolver", "cuSOLVER"},
    {"libcusparse", "cusparse", "cuSPARSE"},
    {"libcudnn", "cudnn", "cuDNN"},
    {"libnccl", "nccl", "NCCL"},
    {"libnvjpeg", "nvjpeg", "nvJPEG"},
    {"libnpp", "npp", "NPP"},
    {"libnvidia-ml", "nvml", "NVML"},
    {"libcupti", "cupti", "CUPTI"},
};

template <class Matches>
std::optional<std::string_view> find(Matches matches) {
  const auto* known = std::find_if(std::begin(kLibraries), std::end(kLibraries), matches);
  return known == std::end(kLibraries) ? std::nullopt : std::optional(known->name);
}

constexpr const char* kWhy = "which needs NVIDIA's driver and does not run on the virtual GPU";

}  // namespace

std::optional<std::string_view> nvidia_library_of_file(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return find([&](const Library& library) { return name.starts_with(library.file); });
}

std::optional<std::string_view> nvidia_library_of_header(std::string_view header) {
  if (header.starts_with("curand_")) return std::nullopt;
  return find([&](const Library& library) { return header.starts_with(library.prefix); });
}

std::optional<std::string_view> nvidia_library_of_function(std::string_view function) {
  return find([&](const Library& library) {
    // A capital letter follows; NPP's functions are nppi… and npps….
    const size_t next = library.prefix.size() + (library.prefix == "npp" ? 1 : 0);
    return function.starts_with(library.prefix) && function.size() > next && function[next] >= 'A' &&
           function[next] <= 'Z';
  });
}

std::optional<std::string> missing_nvidia_library(std::string_view messages) {
  for (const std::string& header : missing_headers(messages))
    if (const auto library = nvidia_library_of_header(header))
      return fmt::format("`{}` belongs to {}, {}", header, *library, kWhy);
  for (const std::string& function : undefined_functions(messages))
    if (const auto library = nvidia_library_of_function(function))
      return fmt::format("`{}` is a function of {}, {}", function, *library, kWhy);
  return std::nullopt;
}

std::optional<std::string> library_to_link(std::string_view messages) {
  struct Linked {
    std::string_view prefix, name, flag;  // a capital letter follows the prefix
  };
  constexpr Linked kLinked[] = {
      {"cu", "CUDA's driver", "-lcuda"}, {"nvrtc", "NVRTC", "-lnvrtc"}, {"nvJitLink", "nvJitLink", "-lnvJitLink"}};
  for (const std::string& function : undefined_functions(messages))
    for (const Linked& library : kLinked)
      if (function.starts_with(library.prefix) && function.size() > library.prefix.size() &&
          std::isupper(static_cast<unsigned char>(function[library.prefix.size()])))
        return fmt::format("`{}` is a function of {}: add {}", function, library.name, library.flag);
  return std::nullopt;
}

}  // namespace warpwise::toolchain
