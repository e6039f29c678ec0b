// What a program must find in its environment to be served by our libraries.
//
// LD_LIBRARY_PATH leads to libcudart and its kin. A build with sanitizers (WARPWISE_SANITIZE) needs more: its libraries
// need the sanitizers' runtime loaded before anything else, and a program compiled elsewhere does not do so by
// itself. So such a build, and no other, loads the runtime ahead (LD_PRELOAD), for the program alone: compilers do not
// live well under it.
#pragma once

#include <string>
#include <vector>

#include "toolchain/installation.h"

namespace warpwise::toolchain {

struct EnvironmentVariable {
  std::string name, value;
  bool is_list = false;  // of paths, with colons: what was there before comes behind

  std::string text() const { return name + "=" + value; }
};

// For a program that inherits nothing. `WARPWISE_MODULES` is not in it: not every program has modules beside it.
std::vector<EnvironmentVariable> program_environment(const Installation& here);

// The same for a program that gets the environment of this process: sets it there.
void set_program_environment(const Installation& here);

}  // namespace warpwise::toolchain
