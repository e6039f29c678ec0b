#include "toolchain/program_environment.h"

#include <cstdlib>

namespace warpwise::toolchain {

std::vector<EnvironmentVariable> program_environment(const Installation& here) {
  std::vector<EnvironmentVariable> variables{{"LD_LIBRARY_PATH", here.libraries.string(), true}};
#ifdef WARPWISE_SANITIZERS
  variables.push_back({"LD_PRELOAD", WARPWISE_SANITIZERS, true});
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS"})
    if (const char* value = std::getenv(name))
      variables.push_back({name, value + std::string(":log_path=stderr")});  // no file, where it is confined
#endif
  return variables;
}

void set_program_environment(const Installation& here) {
  for (EnvironmentVariable& variable : program_environment(here)) {
    const char* before = std::getenv(variable.name.c_str());
    if (variable.is_list && before && *before) variable.value += std::string(":") + before;
    setenv(variable.name.c_str(), variable.value.c_str(), 1);
  }
}

}  // namespace warpwise::toolchain
