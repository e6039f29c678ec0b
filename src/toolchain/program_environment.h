// What a program must find in its environment to be served by our libraries.
//
// LD_LIBRARY_PATH leads to libcudart and the related libraries. A build with sanitizers (WARPWISE_SANITIZE) needs more:
// its libraries need the sanitizers' runtime loaded before anything else, and a program compiled elsewhere does not do
// so by itself. So such a build, and no other, preloads the runtime (LD_PRELOAD), and only for the program, because
// compilers do not work well under it.
#pragma once

#include <string>
#include <vector>

#include "toolchain/installation.h"

namespace warpwise::toolchain {

struct EnvironmentVariable {
  std::string name, value;
  bool is_list = false;  // of paths, with colons: the earlier value is appended

  std::string text() const { return name + "=" + value; }
};

// For a program that inherits nothing. `WARPWISE_MODULES` is not in it: not every program has modules beside it.
std::vector<EnvironmentVariable> program_environment(const Installation& here);

// The same for a program that gets the environment of this process: sets it there.
void set_program_environment(const Installation& here);

}  // namespace warpwise::toolchain
