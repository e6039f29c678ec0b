// mnist: trains a convolutional network for handwritten digits with hand-written CUDA kernels (README.md).
#include <cstdio>
#include <cstring>

#include "train/commands.h"

namespace {

struct Command {
  const char *name, *usage, *help;
  int (*run)(mnist::Options&);
};

constexpr Command kCommands[] = {
#define COMMAND(name, function, usage, help) {name, usage, help, mnist::function},
#include "train/commands.inc"
#undef COMMAND
};

int help() {
  std::printf("mnist: a convolutional network for handwritten digits, step by step faster\n\n");
  for (const Command& c : kCommands) std::printf("  mnist %s %s\n        %s\n", c.name, c.usage, c.help);
  std::printf("\nThe steps:\n");
  for (const mnist::StepInfo& s : mnist::all_steps()) std::printf("  %d  %-10s %s\n", s.number, s.name, s.idea);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (argc < 2 || !std::strcmp(argv[1], "help") || !std::strcmp(argv[1], "--help")) return help();
  for (const Command& command : kCommands) {
    if (std::strcmp(argv[1], command.name) != 0) continue;
    try {
      mnist::Options options(argc - 1, argv + 1);
      return command.run(options);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "mnist: %s\n", error.what());
      return 2;
    }
  }
  std::fprintf(stderr, "mnist: there is no command `%s`; `mnist help` lists them\n", argv[1]);
  return 2;
}
