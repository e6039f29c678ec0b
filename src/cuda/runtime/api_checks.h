// Finds wrong uses of the CUDA API while a program is checked, and reports them as findings (rules C05..).
//
//   memory    each allocation with the place that made it, frees, and what is left at the end
//   pointers  arguments that are on the wrong side, too short, or freed
//   errors    errors that calls return and the program does not read: a failing call is remembered until the program
//   calls
//             cudaGetLastError. Whether the program used the returned value is read from its machine code, by the
//             command (cli/support/host_lines.h)
//   variables those of the device that host code writes to, where no kernel sees it
//   waiting   work that the program has not waited for when it ends
//
// In a program that is not checked each hook costs one test of a pointer.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/finding.h"
#include "cuda/runtime/error.h"

namespace warpwise::cuda {

class ApiChecks {
 public:
  // Errors are remembered from here on. The first of them come before there is a device, and so before there is a sink.
  void start() { started_ = true; }
  void watch(FindingSink* sink) { sink_ = started_ ? sink : nullptr; }
  bool on() const { return sink_ != nullptr; }
  bool has_unread() const { return started_ && !unread_.empty(); }

  // --- memory. The API function that runs is the one to be named.
  void allocated(device::Address base, size_t size);
  void freed(device::Address base);
  // Called before the call has any effect. On a device where a kernel has failed the call has none, and the memory that
  // it would have freed is not a leak.
  void free_requested(const void* base);
  // The program gives an allocation a name (NVTX).
  void named(device::Address base, std::string name);
  void all_freed();  // cudaDeviceReset

  // --- variables of the device, of which the host has an object of the same name. What it holds when its module comes
  // is compared with what it holds when the module goes.
  void registered(const void* module, const char* name, const void* host, size_t size);
  void unregistered(const void* module);

  // --- pointers. The call fails because of what `rule` says about `pointer`; its detail is the message. If the memory
  // has been freed, the rule for freed memory applies instead. Returns `error`.
  cudaError_t misused(std::string_view rule, const void* pointer, cudaError_t error);

  // The call works, against what `rule` says of where `pointer` and `other` lie. The allocation of `other` is a party.
  void contradicted(std::string_view rule, const void* pointer, const void* other, std::string message);

  // --- errors
  void launching_with_brackets();  // for <<<>>>, whose launch returns no result
  void failed(const char* function, bool launch, bool kernel_failed, cudaError_t error, const std::string& detail);
  void error_was_read();  // by the calling thread

  // --- waiting. What the program has to wait for is known before the device accepts a command, and counts once the
  // device has accepted it. A device on which a kernel failed accepts nothing, and how soon the kernel fails is chance.
  struct Awaited {
    std::optional<device::EventId> event;
    std::optional<Party> work;
  };
  Awaited awaited_once_taken(const device::Command& command);
  void submitted(device::StreamId stream, Awaited awaited);
  void waited(device::StreamId stream);
  void waited_for_event(device::EventId event);
  void waited_for_all();

  // main has returned and the device has been waited for. Reports work that the program did not wait for. On a device
  // where a kernel failed nothing is reported: how soon it fails is chance, calls return the failure from then on, and
  // C0512 reports programs that never read it.
  void main_ended(const device::Status& failure);
  // No more code of the program will run. Reports leaks and unread errors. `failure` is the device's sticky error.
  void program_ended(const device::Status& failure);

 private:
  struct Allocated {
    size_t size = 0;
    std::string by;
    HostPlace at;
    std::string name;
    bool free_requested = false;
  };
  struct Freed {
    Allocated allocation;
    HostPlace at;
  };
  struct Shadow {
    const void* module;
    std::string name;
    const void* host;
    std::string bytes;
  };
  struct Unread {
    std::thread::id thread;
    std::string cause;  // the finding as remembered; calls that return the same error are added to it later
    Finding finding;
  };
  struct Running {
    uint64_t number = 0;  // of the last submission
    Party party;
  };
  Finding about_pointer(std::string_view rule, const void* pointer, std::string message) const;  // mutex_ held
  const std::pair<const device::Address, Freed>* find_freed(device::Address address) const;      // mutex_ held
  void remember(Finding finding);                                                                // mutex_ held

  FindingSink* sink_ = nullptr;
  bool started_ = false;
  std::mutex mutex_;
  std::map<device::Address, Allocated> allocations_;
  std::map<device::Address, Freed> freed_;  // until the addresses are used again
  std::vector<Shadow> shadows_;
  std::vector<Unread> unread_;
  bool kernel_error_read_ = false;
  uint64_t submissions_ = 0;
  std::map<device::StreamId, Running> running_;
  std::map<device::EventId, std::pair<device::StreamId, uint64_t>> recorded_;
};

// The API function that the calling thread is in: set by the frame of every call (call.h).
const char* current_function();

}  // namespace warpwise::cuda
