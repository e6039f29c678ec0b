// Compiler flags in nvcc's language, understood once and translated for the compiler that is used.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::toolchain {

// What flags and file names ask for.
struct CompilerFlags {
  struct {
    std::vector<std::string> both, host, device, link;
  } clang;
  struct {
    std::vector<std::string> compile, link;
  } nvcc;
  std::vector<std::string> include_folders;  // of -I and -isystem, for the choice of the compiler
  std::vector<std::string> inputs;           // sources and objects, in order
  std::vector<std::string> architectures;    // "90", "90a"; as written in -arch and -gencode
  std::string output;                        // -o
  bool compile_only = false;                 // -c
  bool ptx_only = false;                     // -ptx, -fatbin, -cubin
  std::string ptx_extension = ".ptx";        // of the file that they make when -o names none
  bool cuda_language = false;                // -x cu: every source is CUDA C++
  std::string relocatable;                   // the word that asks for relocatable device code, which nvcc alone makes
  bool device_link = false;                  // -dlink: objects whose device code refers to each other
  struct {  // -MD, -MMD: a make rule of what was read, beside the output if -MF names no file
    bool wanted = false;
    bool system_headers = false;  // -MD
    std::string phonies;          // the word that asks for a rule without prerequisites for each header: -MP
    std::string file, target;     // -MF, -MT
  } dependencies;
  bool verbose = false;
  bool dry_run = false;
};

// T0005 for an unknown flag (with a suggestion), T0006 for one that is known and not supported, U0001 for a file of
// options that cannot be read.
Result<CompilerFlags> parse_flags(const std::vector<std::string>& words);

// How many words a compiler flag takes, itself included; 0: `word` is none of them.
unsigned words_of_flag(std::string_view word);

enum class SourceKind { Cuda, Cxx, C, Object, Other };
SourceKind kind_of_source(std::string_view name);

}  // namespace warpwise::toolchain
