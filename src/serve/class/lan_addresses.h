// The addresses of this machine in its networks: what students type, and the only names that the class's page answers
// to.
#pragma once

#include <string>
#include <vector>

namespace warpwise::serve {

// IPv4, without loopback: "192.168.1.20". Those of interfaces that are up, in the system's order.
std::vector<std::string> lan_addresses();

}  // namespace warpwise::serve
