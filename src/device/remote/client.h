// A device in another process, behind a socket that a Server serves (server.h).
//
// An untrusted program talks to this device. Whatever the program does to the libraries in its own memory, it cannot
// reach the engine, its memory and the code that judges the program.
//
// Launches. The server checks and compiles a launch before submit() returns, as the device does. One that differs from
// an accepted one in its parameters alone is posted: it goes with the next request, or when there are many. So does a
// fill like an accepted one.
//
// Turns. To wait for a reply takes longer than what a small kernel does. So the client asks for nothing that it knows:
// each reply says whether the device has failed; a copy from or to the host has waited for its stream; what was no
// memory of the device is none until some is made. The large case of the lab's `bfs`, with 530 launches, takes 289
// turns instead of 2,154.
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
