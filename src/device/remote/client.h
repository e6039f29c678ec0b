// A device in another process, behind a socket that a Server serves (server.h).
//
// An untrusted program talks to this device. Whatever the program does to the libraries in its own memory, it cannot
// reach the engine, its memory and the code that judges the program.
//
// Launches. The server checks and compiles a launch before submit() returns, as the device does. One that differs from
// an accepted one in its parameters alone is posted: it goes with the next request, or when there are many.
//
// Order. The server runs kernels as the device does; copies from and to host memory have happened when submit()
// returns, and a host function runs inside submit(). All of these are orders that CUDA allows.
//
// Not supported: managed memory and addresses mapped by the program (NotSupported), and pinned memory for kernels.
// Pinned memory is plain host memory that can be copied as any other; a kernel that accesses its address faults.
#pragma once

#include <memory>

#include "base/result.h"
#include "device/device.h"

namespace warpwise::device::remote {

// The environment variable with the number of the device's socket. Not set: the process makes a device of its own.
constexpr const char* kDescriptorVariable = "WARPWISE_DEVICE_DESCRIPTOR";

// Takes ownership of the socket. R0501: no device answers on it.
Result<std::unique_ptr<Device>> connect(int socket);

}  // namespace warpwise::device::remote
