// The command lines that turn a source into PTX, an object and a program, by either compiler.
//
// Clang compiles a CUDA source twice, for the device and for the host, and the two can run side by side:
// the host half does not need the PTX, only a name for it. That name is the content of a tiny file,
// `warpwise-ptx: KEY`, put where the fat binary would be; at run time our CUDA runtime reads the PTX from
// WARPWISE_MODULES/KEY.ptx, or KEY.ptx beside a library. A program that is to travel gets the PTX itself instead, and
// its host half has to wait. nvcc does everything in one call and always embeds.
//
// The device half of a build for checkers takes two steps of Clang: the front end at -O0, then the code generator
// alone. One step at -O0 would keep every local variable in memory, where each use is an access to check; the code
// generator at -O1 gives variables registers, and no pass before it has moved or removed an access of the program.
// Between the steps, variables without a value are told from others (undefined_variables.h).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/flags.h"
#include "toolchain/installation.h"
#include "toolchain/process.h"

namespace warpwise::toolchain {

constexpr const char* kModulesVariable = "WARPWISE_MODULES";

// What all command lines of one build share.
struct Route {
  const Installation& installation;
  const CompilerFlags& flags;
  Tool compiler;
  std::string architecture;         // "90a"
  bool for_sm_100 = false;          // what is compiled for is newer than that, and Clang does not know it
  bool for_check = false;           // BuildPurpose::Check
  bool mark_overflow = false;       // BuildRequest::mark_overflow
  bool warn_uninitialised = false;  // BuildRequest::warn_uninitialised
  bool for_library = false;         // BuildRequest::library
  // The link's command line names the libraries for build systems as well (Installation::link_libraries): those that
  // read it, as CMake does, link programs of their own with them.
  bool names_link_libraries = false;
  // Dependency files leave out the headers of system folders, ours among them: -MMD. Only builds that no cache
  // remembers may do so.
  bool skips_system_headers = false;
  // The precompiled parts (precompiled.h): the header that sources begin with for each half, or ""; the linker's own
  // command line, or nothing.
  std::filesystem::path device_header, host_header;
  std::vector<std::string> link_words;
};

enum class Half { Device, Host };

// In Route::link_words, where the names go.
constexpr const char* kLinkObjects = "-lwarpwise-objects";
constexpr const char* kLinkOutput = "warpwise-output";

// One source and the files that are made of it.
struct Unit {
  std::string source;
  SourceKind kind = SourceKind::Cuda;
  std::string key;               // of its PTX
  std::filesystem::path folder;  // where its files go
  size_t index = 0;
  bool texture_references = false;  // begins with warpwise/texture_references.h as well
  bool respelled = false;           // Clang reads respelling() in the place of `source` (nvcc_spelling.h)
  bool is_made = false;             // its object and its PTX are there, from another program's compilation

  std::filesystem::path respelling() const { return folder / (std::to_string(index) + ".respelled.cu"); }
  std::filesystem::path ptx() const { return folder / (key + ".ptx"); }
  std::filesystem::path unoptimised() const { return folder / (key + ".ll"); }
  std::filesystem::path pointer() const { return folder / (key + ".pointer"); }
  std::filesystem::path object() const { return folder / (std::to_string(index) + ".o"); }
  std::filesystem::path device_dependencies() const { return folder / (std::to_string(index) + ".device.d"); }
  std::filesystem::path host_dependencies() const { return folder / (std::to_string(index) + ".host.d"); }
};

// The architecture to compile for: what the flags ask for that the device can run, or the device's own.
// `device` is its compute capability times ten.
std::string clang_architecture(const CompilerFlags& flags, unsigned device);
// Whether the architecture asked for, or the device's own, is of compute capability 10.0 or newer.
bool is_for_sm_100(const CompilerFlags& flags, unsigned device);
std::string nvcc_architecture(const CompilerFlags& flags, unsigned device);

// The compiler and the words of a half that decide what headers mean.
std::vector<std::string> clang_words(const Route& route, Half half);
// The compiler and the words with which it makes PTX of LLVM IR.
std::vector<std::string> clang_ir_words(const std::string& clang, const std::string& architecture, bool keeps_accesses);
// To PTX; for checkers to the text of unoptimised LLVM code, of which clang_lower_job makes the PTX.
Job clang_device_job(const Route& route, const Unit& unit);
Job clang_lower_job(const Route& route, const Unit& unit);
// `gpu_binary`: the file to include as the fat binary; "" for sources that are not CUDA.
Job clang_host_job(const Route& route, const Unit& unit, const std::filesystem::path& gpu_binary);
Job clang_link_job(const Route& route, const std::vector<std::string>& objects, const std::filesystem::path& output);
// Precompiles the header of ours that is called `name`.
Job clang_header_job(const Route& route, Half half, std::string_view name, const std::filesystem::path& header,
                     const std::filesystem::path& dependencies);

Job nvcc_ptx_job(const Route& route, const Unit& unit);
Job nvcc_compile_job(const Route& route, const Unit& unit);
// `device_link`: the objects' device code refers to each other.
// -dlink: an object with the device code of all `objects`.
Job nvcc_device_link_job(const Route& route, const std::vector<std::string>& objects,
                         const std::filesystem::path& output);
Job nvcc_link_job(const Route& route, const std::vector<std::string>& objects, const std::filesystem::path& output,
                  bool device_link);

}  // namespace warpwise::toolchain
