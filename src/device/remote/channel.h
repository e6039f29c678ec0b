// Messages through a stream socket: a mark and a length, then that many bytes. A program may write what it likes into
// its socket, and then wait for an answer: without the mark, stray bytes could be the length of a message that never
// comes, and both sides would wait.
//
// A posted message has another mark. Its sender waits for no answer, and may keep it until it sends one that has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpwise::device::remote {

inline constexpr uint64_t kMessageMark = 0x6567617373656d77;  // "wmessage"
inline constexpr uint64_t kPostedMark = 0x646574736f707777;   // "wwposted"

// The message as it travels, after what is in `to` already.
void append_posted(std::string& to, std::string_view message);
// Must not run concurrently in one direction. `posted`: what append_posted() has made, which goes first. False: the
// other side is gone.
bool send_message(int socket, std::string_view message, std::string_view posted = {});
bool send_posted(int socket, std::string_view posted);
enum class Received { Message, Posted, Nothing, NoMessage, TooLong };  // Nothing: the other side is gone
// NoMessage: what begins there has not the mark. TooLong: the other side announces more than `most` bytes.
Received receive_message(int socket, std::string& message, size_t most);

}  // namespace warpwise::device::remote
