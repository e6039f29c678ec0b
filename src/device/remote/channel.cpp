#include "device/remote/channel.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <span>

namespace warpwise::device::remote {
namespace {

struct Header {
  uint64_t mark = 0, length = 0;  // bytes that follow
};

// False: the other side is gone.
bool receive_all(int socket, char* to, size_t bytes) {
  while (bytes) {
    ssize_t n = recv(socket, to, bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    bytes -= static_cast<size_t>(n);
  }
  return true;
}

bool send_all(int socket, std::span<iovec> parts) {
  msghdr whole{};
  whole.msg_iov = parts.data();
  whole.msg_iovlen = parts.size();
  auto left = [&] {
    return std::any_of(parts.begin(), parts.end(), [](const iovec& part) { return part.iov_len != 0; });
  };
  while (left()) {
    ssize_t n = sendmsg(socket, &whole, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    for (iovec& part : parts) {
      size_t gone = std::min(part.iov_len, static_cast<size_t>(n));
      part.iov_base = static_cast<char*>(part.iov_base) + gone;
      part.iov_len -= gone;
      n -= static_cast<ssize_t>(gone);
    }
  }
  return true;
}

iovec part_of(std::string_view bytes) { return {const_cast<char*>(bytes.data()), bytes.size()}; }

}  // namespace

void append_posted(std::string& to, std::string_view message) {
  const Header header{kPostedMark, message.size()};
  to.append(reinterpret_cast<const char*>(&header), sizeof header);
  to += message;
}

bool send_message(int socket, std::string_view message, std::string_view posted) {
  Header header{kMessageMark, message.size()};
  iovec parts[] = {part_of(posted), {&header, sizeof header}, part_of(message)};
  return send_all(socket, parts);
}

bool send_posted(int socket, std::string_view posted) {
  iovec parts[] = {part_of(posted)};
  return send_all(socket, parts);
}

Received receive_message(int socket, std::string& message, size_t most) {
  Header header;
  message.clear();
  // Mostly the whole header at once. The mark is looked at before more is waited for.
  size_t there = 0;
  while (there < sizeof header.mark) {
    const ssize_t n = recv(socket, reinterpret_cast<char*>(&header) + there, sizeof header - there, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Received::Nothing;
    there += static_cast<size_t>(n);
  }
  if (header.mark != kMessageMark && header.mark != kPostedMark) return Received::NoMessage;
  if (!receive_all(socket, reinterpret_cast<char*>(&header) + there, sizeof header - there)) return Received::Nothing;
  if (header.length > most) return Received::TooLong;
  message.resize(header.length);
  if (!receive_all(socket, message.data(), header.length)) return Received::Nothing;
  return header.mark == kPostedMark ? Received::Posted : Received::Message;
}

}  // namespace warpwise::device::remote
