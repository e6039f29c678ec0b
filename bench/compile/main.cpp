// How long kernels take to compile, over folders of .ptx and .cu files, and how fast PTX is parsed.
//
//     bench_compile examples tests/ptx            median, nine in ten, worst, for both tiers
//     bench_compile --statements=500000           only the parser, on a generated file
//     bench_compile --check examples              fail where more is taken than kPromises allows
//     bench_compile --all examples                each kernel, the slowest first
//
// Each kernel is compiled in a process of its own, forked when the compiler is loaded, so that its memory can be told
// and no kernel pays for LLVM's own tables; what counts is processor time. .cu files become PTX by `warpwise ptx
// --raw`, and those that do not are counted and left out.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "exec/loading/compiler_plugin.h"
#include "ptx/parse/parser.h"

namespace warpwise::bench {
namespace {

struct Promises {
  double median_ms = 30, most_ms = 150;  // of the quick tier; most: nine kernels in ten
  double worst_s = 20, worst_gb = 2;     // of any kernel, either tier
  double statements_per_second = 1e6;
};
constexpr Promises kPromises;
constexpr std::array<uint32_t, 3> kBlock = {256, 1, 1};

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// --- the parser ---------------------------------------------------------------------------------

// A kernel of so many statements, like those that compilers write: arithmetic, memory, branches.
std::string generated(unsigned statements) {
  constexpr const char* kStatements[] = {
      "  mad.lo.s32 \t%r{1}, %r{0}, %r2, %r{1};",
      "  ld.global.f32 \t%f{0}, [%rd{1}+{2}];",
      "  fma.rn.f32 \t%f{1}, %f{0}, %f2, %f{1};",
      "  setp.lt.s32 \t%p1, %r{0}, {2};",
      "  @%p1 add.s64 \t%rd{1}, %rd{0}, {2};",
      "  st.global.f32 \t[%rd{1}+{2}], %f{0};",
      "  shl.b32 \t%r{1}, %r{0}, 3;",
      "  cvt.rn.f32.s32 \t%f{1}, %r{0};",
  };
  std::string text =
      ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry kernel()\n{\n"
      "  .reg .b32 %r<100>;\n  .reg .b64 %rd<100>;\n  .reg .f32 %f<100>;\n  .reg .pred %p<4>;\n";
  for (unsigned k = 0; k < statements; ++k) {
    text +=
        fmt::format(fmt::runtime(kStatements[k % std::size(kStatements)]), k % 97, (k * 7 + 3) % 97, k % 64 * 4) + "\n";
  }
  return text + "  ret;\n}\n";
}

double statements_per_second(unsigned statements) {
  auto source = std::make_shared<SourceText>("generated.ptx", generated(statements));
  double best = 0;
  for (int round = 0; round < 3; ++round) {
    Diagnostics diagnostics;
    const double begin = processor_seconds();
    auto module = ptx::parse(source, diagnostics);
    if (!module) {
      fmt::print(stderr, "{}", render_text(diagnostics, false));
      std::exit(2);
    }
    best = std::max(best, statements / (processor_seconds() - begin));
  }
  return best;
}

// --- kernels ------------------------------------------------------------------------------------

struct Measured {
  std::string name;
  double ms = 0, mb = 0;
  bool failed = false;
};

// In a process of its own.
Measured compile(simt::Compiler& compiler, const ptx::Module& module, uint32_t kernel, simt::Tier tier) {
  void* memory = mmap(nullptr, sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* ms = static_cast<double*>(memory);
  Measured measured{std::string(module.functions[kernel].name)};
  const pid_t child = fork();
  if (child == 0) {
    rlimit limit{600, 600};
    setrlimit(RLIMIT_CPU, &limit);
    simt::CompileOptions options;
    options.block = kBlock;
    options.tier = tier;
    const double begin = processor_seconds();
    auto code = compiler.compile(module, kernel, options);
    *ms = (processor_seconds() - begin) * 1e3;
    _exit(code.ok() ? 0 : 1);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  measured.failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  measured.ms = WIFEXITED(status) ? *ms : 600e3;
  measured.mb = static_cast<double>(usage.ru_maxrss) / 1024;
  munmap(memory, sizeof(double));
  return measured;
}

std::string contents(FILE* stream) {
  std::string text;
  char buffer[1 << 16];
  while (size_t n = fread(buffer, 1, sizeof buffer, stream)) text.append(buffer, n);
  return text;
}

std::string ptx_of(const std::filesystem::path& file, const std::string& warpwise) {
  if (file.extension() == ".ptx") {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::string command =
      fmt::format("'{}' ptx --raw -I '{}' '{}' 2>/dev/null", warpwise, file.parent_path().string(), file.string());
  FILE* stream = popen(command.c_str(), "r");
  if (!stream) return "";
  std::string text = contents(stream);
  return pclose(stream) == 0 ? text : "";
}

void report(const char* tier, std::vector<Measured>& all, size_t shown) {
  std::sort(all.begin(), all.end(), [](const Measured& a, const Measured& b) { return a.ms < b.ms; });
  const auto at = [&](size_t part, size_t of) -> const Measured& {
    return all[std::min(all.size() - 1, all.size() * part / of)];
  };
  double most = 0;
  for (const Measured& m : all) most = std::max(most, m.mb);
  fmt::print(
      "{:10} {:5} kernels   median {:8.1f} ms   nine in ten {:8.1f} ms   worst {:8.1f} ms   most memory {:6.0f} MB\n",
      tier, all.size(), at(1, 2).ms, at(9, 10).ms, all.back().ms, most);
  for (size_t k = 0; k < shown && k < all.size(); ++k) {
    const Measured& m = all[all.size() - 1 - k];
    fmt::print("           {:8.1f} ms {:6.0f} MB  {}\n", m.ms, m.mb, m.name);
  }
}

int run(int argc, char** argv) {
  std::string warpwise = WARPWISE_PROGRAM;
  std::vector<std::filesystem::path> files;
  unsigned statements = 500000;
  bool check = false;
  size_t shown = 5;
  for (int k = 1; k < argc; ++k) {
    std::string_view argument = argv[k];
    if (argument == "--check")
      check = true;
    else if (argument == "--all")
      shown = ~size_t{0};
    else if (argument.starts_with("--statements="))
      std::from_chars(argument.data() + 13, argument.data() + argument.size(), statements);
    else if (argument.starts_with("-"))
      return fmt::print(stderr, "usage: bench_compile [--check] [--all] [--statements=N] FILE_OR_FOLDER…\n"), 2;
    else if (std::filesystem::is_directory(argument)) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(argument))
        if (entry.path().extension() == ".ptx" || entry.path().extension() == ".cu") files.push_back(entry.path());
    } else
      files.emplace_back(argument);
  }
  bool kept = true;
  const auto promise = [&](bool holds, const std::string& what) {
    if (!holds) fmt::print("more than promised: {}\n", what);
    kept = kept && holds;
  };
  const double speed = statements_per_second(statements);
  fmt::print("parser: {} statements, {:.2f} million a second\n", statements, speed / 1e6);
  promise(speed >= kPromises.statements_per_second, "time of the parser");
  if (files.empty()) return check && !kept;

  std::sort(files.begin(), files.end());
  auto opened = exec::compiler_plugin("").open();
  if (!opened.ok()) return fmt::print(stderr, "{}\n", opened.error().message), 2;
  unsigned left_out = 0, failed = 0;
  std::vector<Measured> quick, optimised;
  bool warm = false;
  for (const auto& file : files) {
    Diagnostics diagnostics;
    auto module =
        ptx::load(std::make_shared<SourceText>(file.filename().string(), ptx_of(file, warpwise)), diagnostics);
    if (!module) {
      ++left_out;
      continue;
    }
    for (uint32_t k = 0; k < module->functions.size(); ++k) {
      if (!module->functions[k].is_entry) continue;
      if (!warm) warm = (*opened)->compile(*module, k, {}).ok();
      for (auto [tier, list] : {std::pair{simt::Tier::Quick, &quick}, std::pair{simt::Tier::Optimised, &optimised}}) {
        Measured m = compile(**opened, *module, k, tier);
        m.name = file.filename().string() + ": " + m.name;
        if (m.failed && m.ms < 600e3)
          ++failed;
        else
          list->push_back(std::move(m));
      }
    }
  }
  fmt::print("{} files, {} of them not PTX that loads; {} compilations refused\n", files.size(), left_out, failed);
  if (quick.empty()) return 1;
  report("quick", quick, shown);
  report("optimised", optimised, shown);
  promise(quick[quick.size() / 2].ms <= kPromises.median_ms, "median of the quick tier");
  promise(quick[quick.size() * 9 / 10].ms <= kPromises.most_ms, "nine in ten of the quick tier");
  for (auto* list : {&quick, &optimised}) {
    promise(list->back().ms <= kPromises.worst_s * 1e3, "time of " + list->back().name);
    for (const Measured& m : *list) promise(m.mb <= kPromises.worst_gb * 1024, "memory of " + m.name);
  }
  return check && !kept;
}

}  // namespace
}  // namespace warpwise::bench

int main(int argc, char** argv) { return warpwise::bench::run(argc, argv); }
