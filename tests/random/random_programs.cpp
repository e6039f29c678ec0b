// Random programs under several engines, which must leave the same bits behind.
//
//     random_programs --seed=new --count=2000 --jobs=2
//     random_programs --seed=17                            one program again
//     random_programs --file=random-17.ptx                 a saved one again
//
// Each engine after the first is compared with the first; `jit-sse/16` takes part in every sixteenth program. A program
// that fails or crashes its process is made smaller and saved as PTX in the folder of --save; its first line holds the
// launch. --print shows programs and runs nothing; --only=OPCODE computes with one opcode; --seconds=S begins no
// program after that time. On a machine with a GPU, `--exact --engines=interpreter,gpu` compares with it. --whole
// reports what differs and makes nothing smaller, for an overview of many programs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

#include "engines.h"
#include "generator.h"
#include "gpu.h"
#include "run.h"
#include "shrink.h"
#include "workers.h"

namespace warpwise::random_programs {
namespace {

struct Judge {
  std::string engine;
  uint32_t every = 1;  // of so many programs, one
};

struct Arguments {
  uint64_t seed = 1, count = 1;
  unsigned jobs = 1, seconds = 0;
  std::vector<Judge> judges;
  std::string only, save = ".", file;
  bool print = false, exact = false, whole = false;
};

constexpr const char* kEngines =
    "interpreter,jit-simt,jit-independent,jit/8,jit-quick/8,jit-balanced/16,jit-takeover/4,jit-optimised/16,"
    "jit-avx2/64,jit-sse/64";
constexpr unsigned kSeconds = 30;  // of processor time for a program under all its engines, compilation included

template <class T>
bool number(std::string_view digits, T& to) {
  auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), to);
  return problem == std::errc() && end == digits.data() + digits.size();
}

bool read_engines(std::string_view list, std::vector<Judge>& judges) {
  judges.clear();
  for (const std::string& item : test::split(list, ',')) {
    size_t slash = item.find('/');
    judges.push_back({item.substr(0, slash), 1});
    if (slash != std::string::npos &&
        (!number(std::string_view(item).substr(slash + 1), judges.back().every) || judges.back().every == 0))
      return false;
  }
  return !judges.empty();
}

bool read(Arguments& arguments, std::string_view text) {
  auto value = [&](std::string_view name) -> std::optional<std::string_view> {
    if (!text.starts_with(name)) return std::nullopt;
    return text.substr(name.size());
  };
  if (text == "--seed=new") {
    arguments.seed =
        static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch() / std::chrono::milliseconds(1)) *
        10000;
    return true;
  }
  if (text == "--jobs=all") {
    arguments.jobs = std::max(1u, std::thread::hardware_concurrency());
    return true;
  }
  if (auto v = value("--seed=")) return number(*v, arguments.seed);
  if (auto v = value("--count=")) return number(*v, arguments.count);
  if (auto v = value("--jobs=")) return number(*v, arguments.jobs) && arguments.jobs > 0;
  if (auto v = value("--seconds=")) return number(*v, arguments.seconds);
  if (auto v = value("--engines=")) return read_engines(*v, arguments.judges);
  if (auto v = value("--only=")) return !(arguments.only = *v).empty();
  if (auto v = value("--save=")) return !(arguments.save = *v).empty();
  if (auto v = value("--file=")) return !(arguments.file = *v).empty();
  if (text == "--exact") return arguments.exact = true;
  if (text == "--whole") return arguments.whole = true;
  return arguments.print = text == "--print";
}

bool takes_part(const Judge& judge, const Shape& shape) {
  return shape.seed % judge.every == 0 && !(shape.independent && judge.engine == "jit-simt");
}

// The first engine's outcome is what the others are held against. "" when all agree.
std::string disagreement(const Shape& shape, const std::string& ptx, const std::vector<Judge>& judges) {
  Outcome reference = run(shape, ptx, judges[0].engine);
  if (!reference.failure.empty()) return fmt::format("{}: {}", judges[0].engine, reference.failure);
  for (size_t k = 1; k < judges.size(); ++k) {
    if (!takes_part(judges[k], shape)) continue;
    std::string found = difference(shape, reference, run(shape, ptx, judges[k].engine));
    if (!found.empty()) return fmt::format("{} and {} differ in {}", judges[0].engine, judges[k].engine, found);
  }
  return "";
}

// The engines that are needed to see it again; all when no single one shows it.
std::vector<Judge> guilty(const Program& program, const std::vector<Judge>& judges) {
  for (size_t k = 1; k < judges.size(); ++k) {
    std::vector<Judge> pair{judges[0], {judges[k].engine, 1}};
    if (!takes_part(judges[k], program.shape)) continue;
    if (run_apart([&] { return disagreement(program.shape, to_ptx(program), pair).empty(); }, kSeconds) != "")
      return pair;
  }
  return judges;
}

// Makes a failing program small, says what there is to see and keeps it. A program that stops loading is another
// failure, and so is one that runs too long.
void report(const Program& program, const std::string& what, const Arguments& arguments) {
  if (arguments.whole) return fmt::print("seed {}: {}\n", program.shape.seed, what);
  end_after(0);  // shrinking takes its time
  fmt::print("seed {}: {}; making it smaller\n", program.shape.seed, what);
  std::fflush(stdout);
  std::vector<Judge> judges = guilty(program, arguments.judges);
  auto outcome = [&](const Program& candidate) {
    return run_apart(
        [&] {
          Outcome reference = run(candidate.shape, to_ptx(candidate), judges[0].engine);
          return !reference.failure.empty() || disagreement(candidate.shape, to_ptx(candidate), judges).empty();
        },
        kSeconds);
  };
  std::string before = outcome(program);
  Program small = before.empty()
                      ? program
                      : shrink(program, [&](const Program& candidate) { return outcome(candidate) == before; });
  std::string file = fmt::format("{}/random-{}.ptx", arguments.save, program.shape.seed), engines;
  for (const Judge& judge : judges) engines += (engines.empty() ? "" : ",") + judge.engine;
  std::ofstream(file) << to_ptx(small);
  fmt::print(
      "seed {}: {}\n{}again: random_programs --seed={}; made smaller: random_programs --engines={} --file={}\n\n",
      program.shape.seed, what, to_text(small), program.shape.seed, engines, file);
}

int judge_file(const Arguments& arguments) {
  std::ifstream stream(arguments.file);
  std::string ptx{std::istreambuf_iterator<char>(stream), {}};
  Shape shape;
  if (!from_line(ptx.substr(0, ptx.find('\n')), shape)) {
    fmt::print(stderr, "{}: the first line of a saved program says how it is launched\n", arguments.file);
    return 2;
  }
  std::string found = disagreement(shape, ptx, arguments.judges);
  fmt::print("{}: {}\n", arguments.file, found.empty() ? "all agree" : found);
  return found.empty() ? 0 : 1;
}

int judge_seeds(const Vocabulary& vocabulary, const Arguments& arguments) {
  const bool asks_gpu = std::ranges::any_of(arguments.judges, [](const Judge& judge) { return judge.engine == kGpu; });
  auto judge = [&](uint64_t seed) {
    Program program = generate(vocabulary, seed);
    if (asks_gpu) {  // this process must be able to fork later
      std::string ended = run_apart(
          [&] {
            std::string found = disagreement(program.shape, to_ptx(program), arguments.judges);
            if (!found.empty()) fmt::print("seed {}: {}\n", seed, found);
            return found.empty();
          },
          kSeconds);
      if (!ended.empty()) report(program, ended, arguments);
      return ended.empty();
    }
    std::string found = disagreement(program.shape, to_ptx(program), arguments.judges);
    if (!found.empty()) report(program, found, arguments);
    return found.empty();
  };
  fmt::print("{} programs from seed {}\n", arguments.count, arguments.seed);
  std::fflush(stdout);
  Spread work{arguments.seed, arguments.count, arguments.jobs, arguments.seconds, kSeconds};
  Tally tally = spread(
      work, judge, [&](uint64_t seed, const std::string& why) { report(generate(vocabulary, seed), why, arguments); });
  fmt::print("{} programs from seed {}, {} rows of the table: {} differ; the slowest, seed {}, took {:.1f} s\n",
             tally.done, arguments.seed, vocabulary.rows(), tally.failed, tally.slowest, tally.slowest_seconds);
  return tally.failed == 0 ? 0 : 1;
}

int main(int argc, char** argv) {
  Arguments arguments;
  read_engines(kEngines, arguments.judges);
  for (int k = 1; k < argc; ++k) {
    if (!read(arguments, argv[k])) {
      fmt::print(stderr,
                 "usage: random_programs [--seed=S|new] [--count=N] [--jobs=N|all] [--seconds=S] [--engines=A,B/16] "
                 "[--only=OPCODE] [--exact] [--whole]\n"
                 "                       [--save=FOLDER] [--print] [--file=SAVED.ptx]\n");
      return 2;
    }
  }
  if (!arguments.file.empty()) return judge_file(arguments);
  Vocabulary vocabulary(arguments.exact);
  if (!arguments.only.empty()) vocabulary.restrict_to(arguments.only);
  if (vocabulary.rows() == 0) {
    fmt::print(stderr, "no row of `{}` only computes\n", arguments.only);
    return 2;
  }
  if (!arguments.print) return judge_seeds(vocabulary, arguments);
  for (uint64_t k = 0; k < arguments.count; ++k) fmt::print("{}\n", to_ptx(generate(vocabulary, arguments.seed + k)));
  return 0;
}

}  // namespace
}  // namespace warpwise::random_programs

int main(int argc, char** argv) { return warpwise::random_programs::main(argc, argv); }
