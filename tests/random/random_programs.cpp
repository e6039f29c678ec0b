// Random programs under several engines, which must leave the same bits behind.
//
//     random_programs --seed=1 --count=100 --engines=interpreter,jit-converged,jit-split
//
// On a difference the program is made smaller and its statements are printed; --save=FILE keeps it as PTX. --print
// shows programs and runs nothing; --only=OPCODE computes with one opcode.
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <fstream>

#include "engines.h"
#include "generator.h"
#include "run.h"

namespace warpwise::random_programs {
namespace {

struct Arguments {
  uint64_t seed = 1, count = 20;
  std::vector<std::string> engines{"interpreter", "jit-converged", "jit-split"};
  std::string only, save;
  bool print = false;
};

bool read(Arguments& arguments, std::string_view text) {
  auto value = [&](std::string_view name) -> std::optional<std::string_view> {
    if (!text.starts_with(name)) return std::nullopt;
    return text.substr(name.size());
  };
  auto number = [](std::string_view digits, uint64_t& to) {
    return std::from_chars(digits.data(), digits.data() + digits.size(), to).ptr == digits.data() + digits.size();
  };
  if (auto v = value("--seed=")) return number(*v, arguments.seed);
  if (auto v = value("--count=")) return number(*v, arguments.count);
  if (auto v = value("--engines=")) return !(arguments.engines = test::split(*v, ',')).empty();
  if (auto v = value("--only=")) return !(arguments.only = *v).empty();
  if (auto v = value("--save=")) return !(arguments.save = *v).empty();
  return arguments.print = text == "--print";
}

// The first engine's outcome is what the others are held against.
bool judge(const Program& program, const Arguments& arguments) {
  Outcome reference = run(program, arguments.engines[0]);
  if (!reference.failure.empty()) {
    fmt::print("seed {}: {} under {}\n{}", program.seed, reference.failure, arguments.engines[0], to_ptx(program));
    return false;
  }
  bool agreed = true;
  for (size_t k = 1; k < arguments.engines.size(); ++k) {
    const std::string& engine = arguments.engines[k];
    if (difference(program, reference, run(program, engine)).empty()) continue;
    agreed = false;
    Program small = shrink(program, [&](const Program& candidate) {
      Outcome first = run(candidate, arguments.engines[0]);
      return first.failure.empty() && !difference(candidate, first, run(candidate, engine)).empty();
    });
    fmt::print("seed {}: {} and {} differ in {}\n{}\n", program.seed, arguments.engines[0], engine,
               difference(small, run(small, arguments.engines[0]), run(small, engine)), to_text(small));
    if (!arguments.save.empty()) std::ofstream(arguments.save) << to_ptx(small);
  }
  return agreed;
}

int main(int argc, char** argv) {
  Arguments arguments;
  for (int k = 1; k < argc; ++k) {
    if (!read(arguments, argv[k])) {
      fmt::print(stderr, "usage: random_programs [--seed=S] [--count=N] [--engines=A,B] [--only=OPCODE] [--save=FILE] [--print]\n");
      return 2;
    }
  }
  Vocabulary vocabulary;
  if (!arguments.only.empty()) vocabulary.restrict_to(arguments.only);
  if (vocabulary.rows() == 0) {
    fmt::print(stderr, "no row of `{}` only computes\n", arguments.only);
    return 2;
  }
  uint64_t failed = 0;
  for (uint64_t k = 0; k < arguments.count; ++k) {
    Program program = generate(vocabulary, arguments.seed + k);
    if (arguments.print) fmt::print("{}\n", to_ptx(program));
    else failed += !judge(program, arguments);
    std::fflush(stdout);  // what was found is not lost if the next program brings an engine down
  }
  if (!arguments.print) {
    fmt::print("{} programs from seed {}, {} rows of the table, engines {}: {} differ\n", arguments.count, arguments.seed,
               vocabulary.rows(), fmt::join(arguments.engines, ", "), failed);
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace warpwise::random_programs

int main(int argc, char** argv) { return warpwise::random_programs::main(argc, argv); }
