#include "toolchain/route.h"

#include <algorithm>
#include <charconv>

namespace warpwise::toolchain {
namespace {

struct Architecture {
  unsigned number = 0;
  std::string name;
};

// Of the architectures that the flags name, the newest that the device runs; if it runs none, the oldest
// (the run will say so).
Architecture requested(const CompilerFlags& flags, unsigned device) {
  Architecture best;
  for (const std::string& name : flags.architectures) {
    Architecture a{0, name};
    std::from_chars(name.data(), name.data() + name.size(), a.number);
    bool runs = a.number <= device, best_runs = best.number != 0 && best.number <= device;
    bool better = best.number == 0 || (runs && !best_runs) || (runs && a.number > best.number) ||
                  (!runs && !best_runs && a.number < best.number);
    if (better) best = a;
  }
  return best;
}

using Words = std::vector<std::string>;

void append(Words& to, const Words& more) { to.insert(to.end(), more.begin(), more.end()); }

// With nvcc, a function that reaches its end without a required return statement returns. Clang would trap there, or
// drop the code before it.
const char* const kForgivesReturns = "-fno-strict-return";

// Clang's errors that nvcc and g++ have as warnings: `register` in C++17, `"%"FORMAT` without a blank, `int n[] =
// {a_float}`.
const Words kForgivesSpelling{"-Wno-error=register", "-Wno-error=reserved-user-defined-literal",
                              "-Wno-error=c++11-narrowing"};

// `(float)rand() / RAND_MAX` in five lines, which neither nvcc nor g++ mentions.
const char* const kTakesNearestFloat = "-Wno-implicit-const-int-float-conversion";

// nvcc hands host code to g++ without -O, where signed overflow wraps and pointers alias as the programmer
// thought. Optimised host code does the same, as far as a flag can achieve it: the reference code with which programs
// check their kernels often relies on both.
const Words kForgiving{"-fwrapv", "-fno-strict-aliasing"};

// nvcc makes nearly every device function part of its kernel. Clang stops at a cost of 2475 (225, times eleven for
// GPUs), and then an array that a large function is given by reference is local memory: tiles of accumulators above
// all. Ten times that limit is enough for existing kernels; `__noinline__` and recursion are not affected.
const Words kDeviceSpeed{"-O2", "-mllvm", "-inline-threshold=2250"};

// After each signed operation comes a call for a result that does not fit (ptx/signed_overflow.h). These flags go
// directly to the front end, because the driver does not pass them on for GPUs, which have no run-time library for
// them.
const Words kMarkOverflow{"-Xclang", "-fsanitize=signed-integer-overflow", "-Xclang",
                          "-fsanitize-recover=signed-integer-overflow"};

// Findings name the lines of the host that allocated memory or launched a kernel: lines, and frames that are there.
// DWARF 4, because binutils does not find the ranges of inlined code that DWARF 5 has by index: the place of a
// cudaMalloc in a loop was our header.
const Words kHostLines{"-gdwarf-4", "-gline-tables-only", "-fno-optimize-sibling-calls"};
// g++, which nvcc runs, calls the same thing -g1.
const Words kHostLinesGcc{"-g1", "-fno-optimize-sibling-calls"};

bool has_optimisation(const Words& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& w) { return w.starts_with("-O"); });
}

// Makefiles name the toolkit's folder of headers, which g++ needs and nvcc does not. Clang cannot compile NVIDIA's,
// so such a folder, or one that such headers were copied to, is searched after ours.
bool holds_cuda_headers(const std::string& folder) {
  std::error_code error;
  for (const char* name : {"cuda_runtime.h", "cuda_runtime_api.h", "cooperative_groups.h", "cuda_fp16.h"})
    if (std::filesystem::exists(std::filesystem::path(folder) / name, error)) return true;
  return false;
}
Words ours_first(Words words) {
  for (size_t i = 0; i < words.size(); ++i) {
    bool joined = words[i].starts_with("-I"), apart = words[i] == "-isystem" && i + 1 < words.size();
    if (joined && holds_cuda_headers(words[i].substr(2)))
      words[i] = "-idirafter" + words[i].substr(2);
    else if (apart && holds_cuda_headers(words[i + 1]))
      words[i] = "-idirafter";
  }
  return words;
}

// What both halves of Clang's compilation of a CUDA source have in common. Why each flag is there:
//   -nocudainc -nocudalib --cuda-path   no NVIDIA software, even where some is installed
//   -target-sdk-version                 without it `<<<>>>` becomes the launch call of CUDA 8
//   --cuda-feature=+ptx85               without it the warp intrinsics are refused
// Always: what compilers say is kept for later builds, and shown as each wants it (Compilation::as_wanted).
constexpr const char* kColoured = "-fcolor-diagnostics";

Words clang_cuda_words(const Route& route) {
  Words words{route.compiler.path,
              "-x",
              "cuda",
              "-nocudainc",
              "-nocudalib",
              "--cuda-path=/nonexistent",
              "--cuda-gpu-arch=sm_" + route.architecture,
              "-Xclang",
              "-target-sdk-version=12.3",
              "-Wno-unknown-cuda-version",
              kForgivesReturns,
              kTakesNearestFloat,
              "-Wno-unused-command-line-argument",
              kColoured};
  append(words, kForgivesSpelling);
  if (route.for_sm_100) words.push_back("-DWARPWISE_SM_100");  // include/cuda/warpwise/packed_floats.h
  append(words, {"-isystem", route.installation.headers});
  append(words, ours_first(route.flags.clang.both));
  return words;
}

// Every source begins with our header, as text or precompiled.
void begin_with_headers(Words& words, const std::filesystem::path& precompiled, const Unit& unit) {
  Words headers = precompiled.empty() ? Words{"-include", "cuda_runtime.h"} : Words{"-include-pch", precompiled};
  if (unit.texture_references) append(headers, {"-include", "warpwise/texture_references.h"});
  words.insert(std::find(words.begin(), words.end(), "-isystem"), headers.begin(), headers.end());
}

// The source as Clang reads it, under its own name.
void name_source(Words& words, const Unit& unit) {
  if (unit.respelled)
    append(words, {"-Xclang", "-remap-file", "-Xclang", unit.source + ";" + unit.respelling().string()});
  words.push_back(unit.source);
}

}  // namespace

std::string clang_architecture(const CompilerFlags& flags, unsigned device) {
  // The GPUs that Clang 19 knows, from the oldest that we model.
  constexpr unsigned kKnown[] = {60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
  Architecture wanted = requested(flags, device);
  unsigned number = wanted.number ? wanted.number : device;
  unsigned best = kKnown[0];
  for (unsigned known : kKnown)
    if (known <= number) best = known;
  if (wanted.number == best) return wanted.name;
  // The device's own features as well, unless the portable subset is asked for. Those of 90a exist
  // on compute capability 9.0 alone: newer devices run plain 90.
  return best == 90 && number == 90 ? "90a" : std::to_string(best);
}

bool is_for_sm_100(const CompilerFlags& flags, unsigned device) {
  const unsigned wanted = requested(flags, device).number;
  return (wanted ? wanted : device) >= 100;
}

std::string nvcc_architecture(const CompilerFlags& flags, unsigned device) {
  Architecture wanted = requested(flags, device);
  return wanted.number ? wanted.name : std::to_string(device);
}

std::vector<std::string> clang_words(const Route& route, Half half) {
  Words words = clang_cuda_words(route);
  if (half == Half::Device) {
    // line-tables-only keeps the call lines of inlined code, which plain -g1 loses.
    append(words, {"--cuda-device-only", "--cuda-feature=+ptx85", "-Xclang", "-debug-info-kind=line-tables-only"});
    // Functions of -O0 are marked to be left alone by every pass, inlining of our headers' functions included, unless
    // asked otherwise.
    if (route.for_check)
      append(words, {"-O0", "-Xclang", "-disable-O0-optnone", "-ftrivial-auto-var-init=pattern",
                     "-ftrivial-auto-var-init-max-size=64"});
    else
      append(words, kDeviceSpeed);
    append(words, route.flags.clang.device);
  } else {
    words.push_back("--cuda-host-only");
    if (!has_optimisation(route.flags.clang.host)) words.push_back("-O2");
    append(words, kForgiving);
    if (route.for_library) words.push_back("-fPIC");
    if (route.for_check) append(words, kHostLines);
    append(words, route.flags.clang.host);
  }
  return words;
}

namespace {

const char* dependency_word(const Route& route) { return route.skips_system_headers ? "-MMD" : "-MD"; }

}  // namespace

Job clang_header_job(const Route& route, Half half, std::string_view name, const std::filesystem::path& header,
                     const std::filesystem::path& dependencies) {
  Words words = clang_words(route, half);
  append(words, {"-Xclang", "-emit-pch", "-S", "-o", header, "-MD", "-MF", dependencies,
                 std::filesystem::path(route.installation.headers) / name});
  return {words};
}

Job clang_device_job(const Route& route, const Unit& unit) {
  Words words = clang_words(route, Half::Device);
  begin_with_headers(words, route.device_header, unit);
  if (!route.installation.device_library.empty())
    append(words, {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", route.installation.device_library});
  // Not among the words that decide what headers mean, so the precompiled one serves.
  if (route.mark_overflow) append(words, kMarkOverflow);
  if (route.warn_uninitialised) words.push_back("-Wuninitialized");
  if (route.for_check)
    append(words, {"-emit-llvm", "-S", "-o", unit.unoptimised()});
  else
    append(words, {"-S", "-o", unit.ptx()});
  append(words, {dependency_word(route), "-MF", unit.device_dependencies()});
  name_source(words, unit);
  return {words};
}

Words clang_ir_words(const std::string& clang, const std::string& architecture, bool keeps_accesses) {
  Words words{clang,     "-x",
              "ir",      "--target=nvptx64-nvidia-cuda",
              "-Xclang", "-target-cpu",
              "-Xclang", "sm_" + architecture,
              "-Xclang", "-target-feature",
              "-Xclang", "+ptx85"};
  // The code generator, too, must leave accesses where the source has them: it would move a read below the guard of its
  // only use, and a read past the end would never happen.
  if (keeps_accesses)
    append(words, {"-O1", "-Xclang", "-disable-llvm-passes", "-mllvm", "-disable-machine-sink", "-mllvm",
                   "-disable-machine-licm"});
  return words;
}

Job clang_lower_job(const Route& route, const Unit& unit) {
  Words words = clang_ir_words(route.compiler.path, route.architecture, /*keeps_accesses=*/true);
  append(words, {kColoured, "-S", "-o", unit.ptx(), unit.unoptimised()});
  return {words};
}

Job clang_host_job(const Route& route, const Unit& unit, const std::filesystem::path& gpu_binary) {
  Words words;
  if (unit.kind == SourceKind::Cuda) {
    words = clang_words(route, Half::Host);
    begin_with_headers(words, route.host_header, unit);
    append(words, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", gpu_binary});
  } else {
    words = {route.compiler.path, "-x", unit.kind == SourceKind::C ? "c" : "c++", kColoured};
    append(words, kForgivesSpelling);
    append(words, {"-isystem", route.installation.headers});
    append(words, ours_first(route.flags.clang.both));
    // A standard of C++ means nothing to C.
    if (unit.kind == SourceKind::C)
      std::erase_if(words, [](const std::string& w) { return w.starts_with("-std=c++"); });
    if (!has_optimisation(route.flags.clang.host)) words.push_back("-O2");
    append(words, kForgiving);
    if (route.for_check) append(words, kHostLines);
    append(words, route.flags.clang.host);
  }
  append(words, {"-c", "-o", unit.object(), dependency_word(route), "-MF", unit.host_dependencies()});
  name_source(words, unit);
  return {words};
}

Job clang_link_job(const Route& route, const std::vector<std::string>& objects, const std::filesystem::path& output) {
  const bool plain = std::all_of(route.flags.clang.link.begin(), route.flags.clang.link.end(),
                                 [](const std::string& w) { return w.starts_with("-l") || w.starts_with("-L"); });
  if (plain && !route.link_words.empty()) {
    Words words;
    for (const std::string& word : route.link_words) {
      if (word == kLinkOutput)
        words.push_back(output);
      else if (word == kLinkObjects)
        append(words, objects), append(words, route.flags.clang.link);
      else
        words.push_back(word);
    }
    return {words};
  }
  Words words{route.compiler.path, "-o", output};
  // Several libraries of one process may have functions of one name: each calls its own.
  if (route.for_library) append(words, {"-shared", "-Wl,-Bsymbolic"});
  const std::string linker = fastest_linker(route.compiler);
  if (!linker.empty()) words.push_back("-fuse-ld=" + linker);
  // A program of a few objects: threads would take longer to start than they save.
  if (linker == "lld") words.push_back("-Wl,--threads=1");
  append(words, objects);
  append(words, route.flags.clang.link);
  const std::string& libraries = route.installation.libraries;
  words.push_back("-Wno-unused-command-line-argument");
  std::error_code error;
  const std::filesystem::path for_others = route.installation.link_libraries();
  if (route.names_link_libraries && std::filesystem::exists(for_others / "libcudart.so", error)) {
    // Our own programs find the runtime by a search path, which LD_LIBRARY_PATH may override. The library for other
    // build systems is named too, but not needed, because the first one has every symbol.
    append(words, {"-L" + for_others.string(), "-L" + libraries, "-Wl,-rpath," + libraries, libraries + "/libcudart.so",
                   "-Wl,--as-needed", "-lcudart", "-Wl,--no-as-needed"});
  } else {
    append(words, {"-L" + libraries, "-Wl,-rpath," + libraries, "-lcudart"});
  }
  append(words, {"-lm", "-lpthread", "-ldl"});
  return {words};
}

namespace {

// Inside nvcc, cicc makes the PTX. With -g it would also keep variables that were never set apart, but say no longer
// which function was inlined where.
const Words kNvccCheck{"-Xcicc", "-O0"};

Words nvcc_words(const Route& route) {
  Words words{route.compiler.path,
              "-lineinfo",
              "-Wno-deprecated-gpu-targets",
              "-gencode",
              "arch=compute_" + route.architecture + ",code=compute_" + route.architecture,
              "--no-compress"};
  if (!has_optimisation(route.flags.nvcc.compile)) words.push_back("-O2");
  for (const std::string& word : kForgiving) append(words, {"-Xcompiler", word});
  if (route.for_check) {
    append(words, kNvccCheck);
    for (const std::string& word : kHostLinesGcc) append(words, {"-Xcompiler", word});
  }
  append(words, route.flags.nvcc.compile);
  if (route.flags.cuda_language) append(words, {"-x", "cu"});
  return words;
}

}  // namespace

Job nvcc_ptx_job(const Route& route, const Unit& unit) {
  // -ptx takes an architecture, not a list of codes.
  Words words{route.compiler.path, "-lineinfo", "-Wno-deprecated-gpu-targets", "-arch=compute_" + route.architecture};
  append(words, route.flags.nvcc.compile);
  append(words, {"-ptx", "-o", unit.ptx(), dependency_word(route), "-MF", unit.device_dependencies(), unit.source});
  return {words};
}

Job nvcc_compile_job(const Route& route, const Unit& unit) {
  Words words = nvcc_words(route);
  append(words, {"-c", "-o", unit.object(), dependency_word(route), "-MF", unit.host_dependencies(), unit.source});
  return {words};
}

Job nvcc_device_link_job(const Route& route, const std::vector<std::string>& objects,
                         const std::filesystem::path& output) {
  Words words{route.compiler.path, "-dlink", "-Wno-deprecated-gpu-targets", "-gencode",
              "arch=compute_" + route.architecture + ",code=compute_" + route.architecture,
              // Its registration would refer to NVIDIA's library of kernels that launch kernels, which programs of ours
              // are not linked with.
              "-cudadevrt", "none", "-o", output};
  append(words, objects);
  for (const std::string& word : route.flags.nvcc.link)
    if (word != "-lcudadevrt") words.push_back(word);
  return {words};
}

Job nvcc_link_job(const Route& route, const std::vector<std::string>& objects, const std::filesystem::path& output,
                  bool device_link) {
  const std::string& libraries = route.installation.libraries;
  Words words{route.compiler.path, "-cudart", "shared", "-Wno-deprecated-gpu-targets", "-o", output};
  if (device_link)
    append(words, {"-gencode", "arch=compute_" + route.architecture + ",code=compute_" + route.architecture});
  else
    words.push_back("-nodlink");
  append(words, objects);
  // The link is against the toolkit's own library, which knows the versions of the symbols that its headers mean;
  // ours takes its place when the program runs.
  append(words, {"-Xlinker", "-rpath," + libraries});
  append(words, route.flags.nvcc.link);
  append(words, {"-lm", "-lpthread", "-ldl"});
  return {words};
}

}  // namespace warpwise::toolchain
