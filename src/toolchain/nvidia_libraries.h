// NVIDIA's libraries that contain NVIDIA's static runtime and so need NVIDIA's driver: they can be installed and
// linked, and do not run on the virtual GPU. Known by the names of their files, headers and functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpwise::toolchain {

// "cuBLAS" of `libcublas.so.13`, with or without folders before it.
std::optional<std::string_view> nvidia_library_of_file(std::string_view file);

// "cuBLAS" of `cublas_v2.h`. Headers with device code alone (`curand_kernel.h`) need no library.
std::optional<std::string_view> nvidia_library_of_header(std::string_view header);

// "cuBLAS" of `cublasCreate_v2`.
std::optional<std::string_view> nvidia_library_of_function(std::string_view function);

// The first header of such a library that a compiler does not find, or function that a linker does not, in a sentence.
std::optional<std::string> missing_nvidia_library(std::string_view messages);

// The same of libraries that Warpwise has and that nvcc does not link by itself, with the flag: "`cuInit` is a function
// of CUDA's driver: add -lcuda".
std::optional<std::string> library_to_link(std::string_view messages);

}  // namespace warpwise::toolchain
