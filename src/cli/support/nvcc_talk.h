// What nvcc prints about itself, in the form in which build systems read it (CMake: CMakeDetermineCUDACompiler.cmake,
// FindCUDAToolkit.cmake). docs/cmake.md has the whole story.
#pragma once

#include <string>

namespace warpwise::cli {

// nvcc --version. Build systems recognise nvcc by the first line and take the version from `V12.3.0`: that of our
// headers.
std::string nvcc_version();

// The first lines of nvcc -v and --dryrun, `#$ NAME=VALUE` each: where the toolkit's folder is, its headers and
// libraries, and the virtual architecture that is compiled for by default (90: compute capability 9.0).
std::string nvcc_variables(unsigned architecture);

}  // namespace warpwise::cli
