#include "lab/trial/solve_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lab/judge/host_compiler.h"
#include "lab/judge/submission.h"
#include "lab/sandbox/compiler.h"
#include "lab/sandbox/sandbox.h"
#include "lab/trial/host_fault.h"
#include "toolchain/device_code.h"
#include "toolchain/files.h"
#include "toolchain/installation.h"
#include "toolchain/messages.h"
#include "warpwise/solve_main.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

// The symbol of a submission's entry in its object: extern "C", as in the starters, or with its types.
enum class Naming { C, Cpp };

// The call of solve, with its arguments from words of 8 bytes. Where the name is extern "C", pointers are pointers,
// whatever they point to.
std::string call_source(const Problem& problem, Naming naming) {
  std::string declared, passed;
  for (size_t i = 0; i < problem.parameters.size(); ++i) {
    const Parameter& p = problem.parameters[i];
    const std::string type = naming == Naming::Cpp ? p.spelling
                             : p.pointer           ? "void*"
                                         : std::string(p.type == ElementType::Half ? "uint16_t" : name_of(p.type));
    declared += fmt::format("{}{}", i ? ", " : "", type);
    passed += fmt::format("{}*reinterpret_cast<{} const*>(a + {})", i ? ", " : "", type, i);
  }
  return fmt::format(
      "#define WARPWISE_SOLVE_MAIN\n#include <warpwise/solve_main.h>\n\nstruct __half;\nusing half = __half;\n{}void "
      "{}({});\n"
      "void warpwise_call_solve(const uint64_t* a) {{ {}({}); }}\n{}",
      naming == Naming::C ? "extern \"C\" " : "", problem.entry, declared, problem.entry, passed,
      host_fault_source(lab_host::kDescriptorVariable, lab_host::kMillisecondsVariable));
}

// Many users' files have a main() of their own, which tests `solve`.
bool has_main(const std::string& source) {
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = 0; (at = source.find("main", at)) != source.npos; at += 4) {
    const size_t next = source.find_first_not_of(" \t\r\n", at + 4);
    if ((at == 0 || !is_word(source[at - 1])) && next != source.npos && source[next] == '(') return true;
  }
  return false;
}

// Whether the linker misses the entry: its words are about our call of it, and its advice (`declare as extern "C"`) is
// wrong here.
bool misses_entry(const Problem& problem, std::string_view messages) {
  const std::vector<std::string> names = toolchain::undefined_functions(messages);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name == problem.entry || name.starts_with(problem.entry + "(");
  });
}

void explain_second_main(SolveProgram& out) {
  if (out.messages.find("main") != out.messages.npos &&
      (out.messages.find("multiple definition") != out.messages.npos ||
       out.messages.find("duplicate symbol") != out.messages.npos))
    out.next = "leave out main(): the judge brings its own";
}

Result<MadeFile> compile_call(const Problem& problem, Naming naming) {
  return compile_for_host("call of solve", call_source(problem, naming), {"-c", "-fno-strict-aliasing"}, "main.o");
}

// What the judge reads of a program that nvcc made, whose device code is inside. The largest of cub's have a hundredth
// of it.
constexpr size_t kMostProgramBytes = 64 << 20, kMostDeviceCode = 64 << 20;

// The PTX that the program may load. It was made of an untrusted source, so it is read as what it is: no link, of a
// limited size, by parsers that believe no number in it. Without PTX for the device: why.
Result<void> take_images(SolveProgram& out, bool by_nvcc, unsigned architecture) {
  const fs::path folder = out.executable.parent_path();
  if (!by_nvcc) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".ptx") out.images.insert(TRY(toolchain::read_file(entry.path())));
    return {};
  }
  auto bytes = sandbox::read_product(folder, out.executable.filename(), kMostProgramBytes);
  auto elf = bytes ? ElfFile::from_bytes(std::move(bytes).value()) : Result<ElfFile>(bytes.error());
  toolchain::DeviceCode code;
  if (elf)
    code = toolchain::device_code_of(*elf, architecture, /*modules=*/"", kMostDeviceCode);
  else
    code.problems.push_back(elf.error().message);
  out.images.insert(code.ptx.begin(), code.ptx.end());
  if (!out.images.empty() || code.problems.empty()) return {};
  out.compiled = false;
  out.messages += fmt::format("the device code of the program cannot be read: {}\n", code.problems[0]);
  out.next = "leave to the compiler what is in the sections of a program";
  return {};
}

Result<SolveProgram> build(const Problem& problem, Naming naming, const fs::path& source,
                           const CompileOptions& options) {
  const MadeFile main = TRY(compile_call(problem, naming));
  std::vector<std::string> words = TRY(words_for_solve(source));
  if (options.compiler == toolchain::CompilerChoice::Nvcc) words.push_back("--extended-lambda");  // Clang takes them
  words.push_back(main.file.string());
  toolchain::BuildRequest request;
  request.flags = TRY(toolchain::parse_flags(words));
  request.compiler = options.compiler;
  request.purpose = options.purpose;
  request.warn_uninitialised = options.purpose == toolchain::BuildPurpose::Check;
  request.device_architecture = options.architecture;
  SolveProgram out;
  request.say = [&](std::string_view text) { out.messages += text; };
  std::vector<std::string> readable = options.headers;
  readable.push_back(main.file.string());
  sandbox::ConfinedCompiler compiler(source, options.sandbox ? sandbox::Isolation::Best : sandbox::Isolation::None,
                                     readable, limits_of(options), loads_once(options), options.place);
  compiler.attach_to(request);
  auto made = toolchain::build_program(request, toolchain::Cache::from_environment());
  if (!made) {
    if (!toolchain::is_refusal(made.error())) return made.error();
    const std::string said = out.messages;
    explain_refusal(made.error(), compiler, out.messages, out.next);
    out.forbidden = compiler.wanted(said);
    explain_second_main(out);
    if (misses_entry(problem, said)) {
      out.missing_entry = true;
      out.messages = fmt::format("there is no `{}` with the parameters that the problem gives it", problem.entry);
      out.next = fmt::format("the problem asks for: {}", problem.signature());
    }
    return out;
  }
  out.compiled = true;
  out.sources = options.headers;
  out.sources.push_back(fs::absolute(source).lexically_normal());
  out.executable = made->executable;
  out.modules = made->modules;
  out.temporary = std::move(made->temporary);
  TRY(take_images(out, made->by_nvcc, options.architecture));
  // Excerpts of sources, and the checker of barriers, open the files that PTX names.
  for (const std::string& ptx : out.images)
    if (auto outside = compiler.scope().outside_in_ptx(ptx)) {
      out.forbidden = *outside;
      out.compiled = false;
    }
  return out;
}

}  // namespace

Result<void> prepare_solve_programs(const Problem& problem) {
  if (problem.kind != Kind::Solve) return {};
  for (Naming naming : {Naming::C, Naming::Cpp}) TRY(compile_call(problem, naming));
  return {};
}

Result<std::vector<std::string>> words_for_solve(const fs::path& source) {
  std::vector<std::string> words{source.string()};
  // Only where it is needed: with an extra flag the precompiled header does not fit.
  const std::string text = TRY(read_submission(source));
  if (has_main(text)) words.push_back("-Dmain=warpwise_submissions_own_main");
  if (text.find("\"solve.h\"") != std::string::npos)
    words.push_back("-I" + (toolchain::Installation::find().headers / "warpwise/lab").string());
  return words;
}

Result<SolveProgram> with_device_code(const SolveProgram& program, const std::string& ptx) {
  SolveProgram out;
  std::error_code error;
  fs::path code;
  size_t parts = 0;
  if (!program.modules.empty())
    for (const fs::directory_entry& entry : fs::directory_iterator(program.modules, error))
      if (entry.path().extension() == ".ptx") code = entry.path().filename(), ++parts;
  if (parts != 1) return out;
  out.temporary = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  TRY(toolchain::write_file(out.temporary->path() / code, ptx));
  out.compiled = true;
  out.sources = program.sources;
  out.executable = program.executable;
  out.modules = out.temporary->path();
  out.images = {ptx};
  return out;
}

Result<SolveProgram> build_solve_program(const Problem& problem, const fs::path& source,
                                         const CompileOptions& options) {
  // The one that the text speaks for is tried first: the other costs a second build.
  const bool mentions_c = TRY(read_submission(source)).find("extern \"C\"") != std::string::npos;
  const Naming first = mentions_c ? Naming::C : Naming::Cpp;
  SolveProgram out = TRY(build(problem, first, source, options));
  if (out.compiled || !out.missing_entry) return out;
  SolveProgram other = TRY(build(problem, mentions_c ? Naming::Cpp : Naming::C, source, options));
  return other.compiled ? std::move(other) : std::move(out);
}

}  // namespace warpwise::lab
