// OpenMP in host code, for Clang.
//
//     nvcc -Xcompiler -fopenmp main.cu        #include <omp.h>        #pragma omp parallel for
//
// g++, which nvcc runs, brings its OpenMP along. Clang's is a package of its own (libomp-19-dev), without which the
// header is missing and the program does not link; GCC's header does not compile with Clang. Programs mostly want it
// for the reference that they check a kernel with, or for omp_get_wtime. So where Clang has none, nvcc compiles if it
// is installed. Otherwise Clang does, without -fopenmp: it reads the pragmas as comments, our header has OpenMP's
// functions for one thread, and one line says so. That is right and slower.
#pragma once

#include <filesystem>
#include <vector>

#include "toolchain/flags.h"
#include "toolchain/installation.h"

namespace warpwise::toolchain {

bool asks_for_openmp(const CompilerFlags& flags);
// Whether a source, or a header of the user's that it includes, includes OpenMP's header.
bool includes_openmp(const std::filesystem::path& source, const std::vector<std::filesystem::path>& user_folders);

// Whether Clang has a header and a library of its own.
bool has_openmp(const Tool& clang);

// The flags for a Clang that has none.
CompilerFlags without_openmp(CompilerFlags flags, const Installation& installation);

}  // namespace warpwise::toolchain
