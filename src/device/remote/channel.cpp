#include "device/remote/channel.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstdint>

namespace warpwise::device::remote {
namespace {

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
  uint64_t length = message.size();
  iovec parts[2] = {{&length, sizeof length}, {const_cast<char*>(message.data()), message.size()}};
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
  uint64_t length = 0;
  message.clear();
  if (!receive_all(socket, reinterpret_cast<char*>(&length), sizeof length)) return Received::Nothing;
  if (length > most) return Received::TooLong;
  message.resize(length);
  return receive_all(socket, message.data(), length) ? Received::Message : Received::Nothing;
}

}  // namespace warpwise::device::remote
