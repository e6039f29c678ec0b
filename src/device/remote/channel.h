// Messages through a stream socket: a length, then that many bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpwise::device::remote {

// Must not run concurrently in one direction. False: the other side is gone.
bool send_message(int socket, std::string_view message);
enum class Received { Message, Nothing, TooLong };  // Nothing: the other side is gone
// TooLong: the other side announces more than `most` bytes.
Received receive_message(int socket, std::string& message, size_t most);

}  // namespace warpwise::device::remote
