// A device that is in another process, behind a socket on which a Server answers (server.h).
//
// A program that nobody trusts talks to this one: the engine, the memory and what is judged by it are out of its reach,
// whatever it does to the libraries in its own memory.
//
// Order. The server runs kernels as the device does; copies from and to host memory have happened when submit()
// returns, and a host function runs inside submit(). All of these are orders that CUDA allows.
//
// What is not there: managed memory and addresses mapped by the program (NotSupported), and pinned memory for kernels:
// it is plain host memory that copies as any other, and a kernel that follows its address faults.
#pragma once

#include <memory>

#include "base/result.h"
#include "device/device.h"

namespace warpwise::device::remote {

// Where a process finds its device: the number of a socket. Not set: it makes one of its own.
constexpr const char* kDescriptorVariable = "WARPWISE_DEVICE_DESCRIPTOR";

// Takes the socket over. R0501: nobody answers there as a device does.
Result<std::unique_ptr<Device>> connect(int socket);

}  // namespace warpwise::device::remote
