// Descriptors through a socket: what a program that is about to start gets from a process that is not its parent.
#pragma once

#include <vector>

namespace warpwise::lab::sandbox {

// One byte with descriptors, at most 16. False: the other side has gone.
bool send_descriptors(int socket, const std::vector<int>& descriptors);
// Nothing when the other side has gone. They close on exec.
std::vector<int> receive_descriptors(int socket);

}  // namespace warpwise::lab::sandbox
