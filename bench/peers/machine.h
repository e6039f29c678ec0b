// The machine, in words for people.
#pragma once

#include <string>

namespace warpwise::bench {

struct MachineDescription {
  std::string cpu;       // model name
  unsigned cores = 0;    // that this process may use
  std::string isa;       // the widest vectors
  std::string date;
  double load = 0;       // running processes besides ours, over the last minute
};

MachineDescription describe_machine();

}  // namespace warpwise::bench
