// The IPv4 addresses of this machine in its networks. Students type one of them, and the class's page accepts them,
// besides 127.0.0.1 and localhost, as Host (serve/guard.h).
#pragma once

#include <string>
#include <vector>

namespace warpwise::serve {

// "192.168.1.20": each address of an interface that is up, once, without loopback, in the system's order. Those of
// virtual networks (containers, VPN) are among them. Empty: there is none, or the system does not tell.
std::vector<std::string> lan_addresses();

}  // namespace warpwise::serve
