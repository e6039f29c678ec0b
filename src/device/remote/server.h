// A device for somebody who is not trusted: answers the messages of a client (client.h) with what a real device does.
//
// The client's process may have been taken over by whatever runs in it, so its messages are a stranger's. A client can
// use, change and free what it has made, and read and write what lies in the device's memory besides, which is what
// programs on one device can do. It cannot free, unload or close what others have made, and nothing it sends reaches
// the device before its lengths, numbers and sums have been looked at.
//
// One thread serves one client; several servers may stand before one device.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "device/device.h"
#include "device/remote/wire.h"

namespace warpwise::device::remote {

struct ServerLimits {
  uint64_t memory_bytes = uint64_t{2} << 30;  // of all allocations together
  size_t handles = 4096;                      // of each kind: allocations, modules, streams, events, textures
  size_t module_bytes = 64 << 20;
  uint64_t heap_bytes = 64 << 20;
};

// The longest copy in one message; clients send longer ones in pieces.
constexpr size_t kLongestCopy = 8 << 20;
constexpr uint32_t kVersion = 1;

class Server {
 public:
  // The device outlives it.
  explicit Server(Device& gpu, ServerLimits limits = {}) : gpu_(gpu), limits_(limits) {}
  // Frees what the client has not.
  ~Server() { release(); }
  Server(const Server&) = delete;

  // Which modules a client may load; unset: any. A judge allows those that it has compiled.
  std::function<bool(std::string_view image)> may_load;
  // What a client copies to its host, host memory that it copies to the device, and patterns that it fills with, before
  // it happens.
  std::function<void(Address from, const CopyShape& shape)> on_copy_out;
  std::function<void(Address to, const CopyShape& shape)> on_copy_in;
  std::function<void(const device::Fill& fill)> on_fill;

  // Until the client closes the socket or breaks the rules of messages. Answers why it ended; "" when it was closed.
  std::string serve(int socket);
  // One message to one answer; nothing: it is not a message. What serve() does for each, without a socket.
  std::string answer(std::string_view message);
  // Frees and unloads everything that the client has made.
  void release();

 private:
#define CALL(name, request, answer) Status name(Reader& in, Writer& out);
#include "device/remote/calls.inc"
#undef CALL
  Status run(StreamId stream, Command command);
  bool owns_stream(StreamId stream) const { return stream == 0 || streams_.contains(stream); }

  Device& gpu_;
  const ServerLimits limits_;
  uint64_t allocated_bytes_ = 0;
  std::map<Address, size_t> allocations_;
  std::set<ModuleId> modules_;
  std::map<KernelId, ModuleId> kernels_;
  std::set<StreamId> streams_;
  std::set<EventId> events_;
  std::set<uint64_t> textures_;
};

}  // namespace warpwise::device::remote
