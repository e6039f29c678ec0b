// Where things are: our own parts, found from this library's place (the program may be any that uses the C++ API, see
// include/warpwise), and the compilers: of the tarball, which brings its own, or of the machine.
//
// An installed Warpwise and a build folder have the same shape, but for the folder of the libraries:
//
//     ROOT/bin/warpwise
//     ROOT/LIBDIR/warpwise/ or ROOT/lib/  libcudart.so, libwarpwise.so, libwarpwise-simt.so, and the
//                                         mathematics of device code, devicelib.bc
//     ROOT/LIBDIR/warpwise/bundle/        in the tarball alone (packaging/bundle.txt): bin/clang++, its linker and
//                                         libraries, and the headers and libraries that programs are compiled with
//     ROOT/include/warpwise/cuda/         our CUDA headers
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

namespace warpwise::toolchain {

struct Installation {
  std::filesystem::path root;
  std::filesystem::path libraries;  // the folder of libcudart.so
  std::filesystem::path headers;
  std::filesystem::path device_library;  // "" when it is not there
  // lib64 of the folder that looks like a CUDA toolkit's: libraries to link with.
  std::filesystem::path link_libraries() const { return libraries / "lib64"; }
  // Programs that the tarball brings; does not exist elsewhere.
  std::filesystem::path bundled_programs() const { return libraries / "bundle/bin"; }

  // Follows from where the library is that this code is in.
  static Installation find();

  // What every program links with and every cache key contains; T0004 when it is not there.
  Result<std::filesystem::path> cuda_runtime() const;
};

// A program of the machine and what distinguishes its versions without starting it.
struct Tool {
  std::filesystem::path path;  // as found
  std::string identity;        // real path, size and modification time
};

// The Clang to compile with: WARPWISE_CLANG, a path or a name on PATH; or the bundled one; or clang++-19 or clang++ on
// PATH.
std::optional<Tool> find_clang();
// The bundled Clang of `here`; it finds its own headers and libraries (bundle/bin/clang++.cfg).
std::optional<Tool> bundled_clang(const Installation& here);
// WARPWISE_NVCC, a path or a name on PATH; or nvcc on PATH, in CUDA_HOME or CUDA_PATH, or in /usr/local/cuda.
std::optional<Tool> find_nvcc();
// include/ of nvcc's toolkit; "" when it is unknown.
std::filesystem::path toolkit_headers(const Tool& nvcc);
// What to give Clang as -fuse-ld=: the fastest linker there is; "" leaves it to the compiler. The bundled Clang uses
// the linker beside it, so that a tarball links alike everywhere.
std::string fastest_linker(const Tool& clang);
// "addr2line" or "objdump": the bundled one, or the machine's. PATH is not asked: the sandbox starts it, too.
std::optional<std::filesystem::path> find_object_tool(std::string_view name);

// A program by its name on PATH.
std::optional<std::filesystem::path> find_on_path(std::string_view name);

}  // namespace warpwise::toolchain
