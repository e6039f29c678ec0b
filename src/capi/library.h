// A CUDA source as a library of this process: compiled by Clang, found again in the cache, loaded.
//
//     scale.cu ──functions_in──► names ──epilogue──► Clang ──► library + PTX ──dlopen──► entries
//
// The text of the source gives the names, and the compiler everything else: behind the source stands a list of its
// functions (include/cuda/warpwise/signatures.h), which the library answers with. A name that the compiler cannot use
// (a function that a macro hides, two overloads) is left out, and the source is compiled again.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cuda/runtime/api.h"
#include "cuda/warpwise/entries.h"
#include "toolchain/files.h"

namespace warpwise::capi {

struct SourceRequest {
  std::string path;
  std::vector<std::string> flags;
  bool checked = false;                // toolchain::BuildPurpose::Check
  std::vector<std::string> functions;  // host functions that are offered without extern "C"
  unsigned architecture = 90;
};

struct LibraryFunction {
  std::string name;
  std::vector<std::string> parameter_names;
  const warpwise_entries::Entry* entry = nullptr;
};

struct PtxRequest {
  std::string name, text;
  std::vector<std::string> parameter_names;
};

// An entry of a PTX text, described as signatures.h describes the functions of a source.
struct PtxEntry {
  std::vector<warpwise_entries::Type> parameters;
  warpwise_entries::Entry entry{};
};

class Library {
 public:
  // Errors: those of toolchain::build_program, with the compiler's messages; T0020 when it cannot be loaded.
  static Result<std::unique_ptr<Library>> load(const SourceRequest& request);
  // P....: the text is no right PTX; CUDA's names for what else is wrong.
  static Result<std::unique_ptr<Library>> load_ptx(const PtxRequest& request);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const std::vector<LibraryFunction>& functions() const { return functions_; }
  const std::filesystem::path& file() const { return file_; }
  const std::string& source() const { return source_; }
  // What ww_library_functions returns.
  const std::string& json() const { return json_; }

 private:
  Library() = default;

  Result<void> add_entries(const PtxRequest& request);
  Result<void> add_registers();

  void* handle_ = nullptr;               // of dlopen
  cudaLibrary_t device_code_ = nullptr;  // of a PTX text
  std::vector<PtxEntry> entries_of_ptx_;
  std::filesystem::path file_;
  std::string source_;
  std::vector<LibraryFunction> functions_;
  std::string json_;
};

}  // namespace warpwise::capi
