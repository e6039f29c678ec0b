#include "device/remote/channel.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>

namespace warpwise::device::remote {
namespace {

struct Header {
  uint64_t mark = kMessageMark, length = 0;  // bytes that follow
};

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

}  // namespace

bool send_message(int socket, std::string_view message) {
  Header header{.length = message.size()};
  iovec parts[2] = {{&header, sizeof header}, {const_cast<char*>(message.data()), message.size()}};
  msghdr whole{};
  whole.msg_iov = parts;
  whole.msg_iovlen = 2;
  while (parts[0].iov_len + parts[1].iov_len) {
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

Received receive_message(int socket, std::string& message, size_t most) {
  Header header{.mark = 0};
  message.clear();
  if (!receive_all(socket, reinterpret_cast<char*>(&header.mark), sizeof header.mark)) return Received::Nothing;
  if (header.mark != kMessageMark) return Received::NoMessage;
  if (!receive_all(socket, reinterpret_cast<char*>(&header.length), sizeof header.length)) return Received::Nothing;
  if (header.length > most) return Received::TooLong;
  message.resize(header.length);
  return receive_all(socket, message.data(), header.length) ? Received::Message : Received::Nothing;
}

}  // namespace warpwise::device::remote
