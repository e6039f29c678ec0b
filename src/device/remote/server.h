// Gives an untrusted client access to a device: executes the client's messages (client.h) on a real device.
//
// Whatever runs in the client's process may have taken it over, so its messages are untrusted input. A client can use,
// change and free what it has made, and can read and write the rest of the device's memory, as programs on one device
// can. It cannot free, unload or close what others have made. The lengths, numbers and sums of a message are checked
// before anything reaches the device.
//
// One thread serves one client; several servers may share a device.
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
constexpr uint32_t kVersion = 4;

class Server {
 public:
  // The device must outlive the server.
  explicit Server(Device& gpu, ServerLimits limits = {}) : gpu_(gpu), limits_(limits) {}
  // Frees what the client has not freed.
  ~Server() { release(); }
  Server(const Server&) = delete;

  // The modules that a client may load; unset: any. A judge allows those that it has compiled.
  std::function<bool(std::string_view image)> may_load;
  // Called before data crosses: what a client copies to its host, host memory that it copies to the device, and
  // patterns that it fills with.
  std::function<void(Address from, const CopyShape& shape)> on_copy_out;
  std::function<void(Address to, const CopyShape& shape)> on_copy_in;
  std::function<void(const device::Fill& fill)> on_fill;

  // Serves until the client closes the socket or sends a malformed message. Returns the reason; "" when the socket was
  // closed. The failure of a posted message is the status of the next reply.
  std::string serve(int socket);
  // Executes one message and returns its reply; empty when the message is malformed. serve() calls it for each message;
  // it needs no socket.
  std::string answer(std::string_view message);
  // Frees and unloads everything that the client has made.
  void release();

 private:
#define CALL(name, request, answer) Status name(Reader& in, Writer& out);
#include "device/remote/calls.inc"
#undef CALL
  std::string reply(const Status& status, std::string_view result) const;
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
