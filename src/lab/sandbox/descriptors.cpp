#include "lab/sandbox/descriptors.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace warpwise::lab::sandbox {
namespace {

constexpr size_t kMostDescriptors = 16;

}  // namespace

bool send_descriptors(int socket, const std::vector<int>& descriptors) {
  char byte = '+';
  iovec part{&byte, 1};
  msghdr packet{};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  std::vector<char> space(CMSG_SPACE(descriptors.size() * sizeof(int)));
  packet.msg_control = space.data();
  packet.msg_controllen = space.size();
  cmsghdr* header = CMSG_FIRSTHDR(&packet);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
  std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size() * sizeof(int));
  ssize_t sent;
  while ((sent = sendmsg(socket, &packet, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
  }
  return sent == 1;
}

std::vector<int> receive_descriptors(int socket) {
  char byte = 0;
  iovec part{&byte, 1};
  msghdr packet{};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  alignas(cmsghdr) char space[CMSG_SPACE(kMostDescriptors * sizeof(int))] = {};
  packet.msg_control = space;
  packet.msg_controllen = sizeof space;
  ssize_t got;
  while ((got = recvmsg(socket, &packet, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  const cmsghdr* header = got == 1 ? CMSG_FIRSTHDR(&packet) : nullptr;
  if (!header || header->cmsg_type != SCM_RIGHTS) return {};
  std::vector<int> descriptors((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
  std::memcpy(descriptors.data(), CMSG_DATA(header), descriptors.size() * sizeof(int));
  return descriptors;
}

}  // namespace warpwise::lab::sandbox
