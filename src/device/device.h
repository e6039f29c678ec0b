// The interface of a device: memory, modules, launches, streams and events, as plain data.
//
// The CUDA libraries (src/cuda) depend on this interface and on nothing below it. src/exec implements it with a virtual
// GPU in the same process; src/device/remote implements it with a device behind a socket, src/device/gpu with a GPU and
// NVIDIA's driver. Therefore nothing here names PTX, LLVM, a cudaError_t or a thread of the engine.
//
// Order. Work submitted to a stream runs in order; work of different streams may run in any order that their event
// waits allow. A device may postpone work until the host waits for it (the virtual GPU does: it runs the queue inside
// the waiting call), so every call that observes results waits first.
//
// Threads. Every member function may be called from any host thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "device/memory_annotation.h"
#include "device/program_trace.h"
#include "device/properties.h"
#include "device/texture.h"

namespace warpwise {
class FindingSink;  // base/finding.h
}

namespace warpwise::device {

using Address = uint64_t;   // a device address, as the program sees it
using StreamId = uint32_t;  // 0: the legacy default stream
using EventId = uint32_t;
using ModuleId = uint32_t;
using KernelId = uint32_t;

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
};

// What went wrong, in terms that every API can map to its own codes (cudaError_t, CUresult).
enum class Failure : uint8_t {
  None,
  OutOfMemory,
  InvalidValue,
  InvalidAddress,        // not an address of this device, or past the end of its allocation
  InvalidConfiguration,  // grid or block dimensions, shared memory
  InvalidClusterSize,    // too many blocks, or a grid that is not made of whole clusters
  TooManyResources,      // more registers, threads or shared memory than the kernel may have
  InvalidImage,          // no PTX for this device in the module
  InvalidPtx,            // the PTX does not parse, verify or compile
  NotFound,              // no such kernel or symbol
  NotSupported,          // valid, but not implemented
  CooperativeTooLarge,
  Unloading,       // the process ends, and the device's driver is gone already
  IllegalAddress,  // sticky from here on: a mistake of a kernel
  MisalignedAddress,
  IllegalInstruction,
  InvalidPc,
  HardwareStackError,
  Assert,
  LaunchFailure,  // trap, unknown fault
  LaunchTimeout,  // the watchdog, or a deadlock
};
inline bool is_sticky(Failure f) { return f >= Failure::IllegalAddress; }

// A failure with its description: the detail names allocation, kernel, block, thread and source line.
struct Status {
  Failure failure = Failure::None;
  std::string detail;
  bool ok() const { return failure == Failure::None; }
  static Status success() { return {}; }
};

enum class MemoryKind : uint8_t {
  Device,   // a host access faults
  Managed,  // one address on both sides
  Pinned,   // host memory that the device may use at the same address (cudaMallocHost, mapped)
};

struct Allocation {
  Address base = 0;
  size_t size = 0;  // as requested
  MemoryKind kind = MemoryKind::Device;
};

// Reads and writes that involve a rectangle or a box: pitched and 3-D copies. For plain copies
// height == depth == 1. Pitches in bytes.
struct CopyShape {
  size_t width = 0;  // bytes of one row
  size_t height = 1;
  size_t depth = 1;
  size_t dst_pitch = 0, src_pitch = 0;  // distance between rows
  size_t dst_slice = 0, src_slice = 0;  // distance between slices
};

// One end of a copy: a device address, or host memory that stays valid until the copy has run.
struct CopyToDevice {
  Address dst;
  const void* src;
  CopyShape shape;
};
struct CopyFromDevice {
  void* dst;
  Address src;
  CopyShape shape;
};
struct CopyOnDevice {
  Address dst;
  Address src;
  CopyShape shape;
};
struct CopyOnHost {
  void* dst;
  const void* src;
  CopyShape shape;
};
// Fills rows of `width` bytes with a pattern of 1, 2 or 4 bytes.
struct Fill {
  Address dst;
  uint32_t value;
  uint8_t value_bytes = 1;
  size_t width = 0, height = 1, pitch = 0;
};

struct Launch {
  KernelId kernel = 0;
  Dim3 grid, block;
  Dim3 cluster;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::vector<std::byte> parameters;  // laid out according to KernelInfo::parameters
};
struct HostFunction {
  std::function<void()> call;
  bool runs_commands = false;  // it calls run_inside()
};
struct RecordEvent {
  EventId event;
  bool timing = true;
};
struct WaitEvent {
  EventId event;
};
// The stream waits until the word passes the test, whichever thread or process writes it (cuStreamWaitValue32); other
// streams continue. AtLeast is cyclic: the word minus the value, as a signed number, is not below 0.
struct WaitValue {
  enum class Test : uint8_t { AtLeast, Equal, And, Nor };
  Address address;
  uint64_t value;
  uint8_t bytes = 4;  // or 8
  Test test = Test::AtLeast;
};
struct WriteValue {
  Address address;
  uint64_t value;
  uint8_t bytes = 4;
};
// At this point of the stream the program begins or ceases to own memory of a pool. The device does nothing: the memory
// exists before that point, and until free_in_order(). Checkers use it to find accesses that come too early or too
// late.
struct Lifetime {
  Address base;
  size_t bytes;
  bool ends = false;
};

using Command = std::variant<CopyToDevice, CopyFromDevice, CopyOnDevice, CopyOnHost, Fill, Launch, HostFunction,
                             RecordEvent, WaitEvent, WaitValue, WriteValue, Lifetime>;

struct KernelParameter {
  uint32_t offset = 0, size = 0, align = 1;
};

// The properties of a kernel, known without running it.
struct KernelInfo {
  std::string name;  // mangled
  std::vector<KernelParameter> parameters;
  uint32_t parameter_bytes = 0;
  uint32_t registers = 0;  // of a thread; an estimate unless ptxas was asked
  uint32_t static_shared_bytes = 0;
  uint32_t local_bytes = 0;  // of a thread
  uint32_t const_bytes = 0;
  uint32_t max_threads_per_block = 1024;
  Dim3 required_block{0, 0, 0};    // x == 0: any
  Dim3 required_cluster{0, 0, 0};  // x == 0: any; the default of launches without a cluster size
  unsigned ptx_version = 0, sm = 0;
};

struct SymbolInfo {
  Address address = 0;
  size_t size = 0;
};

class VirtualMemory;  // virtual_memory.h

class Device {
 public:
  virtual ~Device() = default;

  virtual const Properties& properties() const = 0;

  // --- memory ---------------------------------------------------------------------------------
  // At least `size` bytes, aligned to 512, contents unspecified. Size 0 is InvalidValue.
  virtual Status allocate(size_t size, MemoryKind kind, Address* out) = 0;
  // Waits for all submitted work first, as cudaFree does. Accepts only the base address of an allocation.
  virtual Status free(Address base) = 0;
  // Frees when `stream` reaches this point (cudaFreeAsync), or without any wait (cudaFree of memory of a pool). A
  // device may still wait for all submitted work; the program must not rely on that.
  virtual Status free_in_order(std::optional<StreamId> stream, Address base) {
    (void)stream;
    return free(base);
  }
  // The allocation that contains `address`, if it is one of this device's.
  virtual std::optional<Allocation> find_allocation(Address address) const = 0;
  virtual void memory_info(size_t* free_bytes, size_t* total_bytes) const = 0;
  // Whether the host may map pages of managed memory a second time, at addresses of its own (mremap).
  virtual bool maps_managed_pages_twice() const { return false; }
  // Null: the device has none.
  virtual VirtualMemory* virtual_memory() { return nullptr; }

  // --- modules -------------------------------------------------------------------------------- `image` is PTX text,
  // or a name and reader for it; it is copied. Parsing may be postponed until the first look-up, so an error may be
  // returned there.
  virtual Status load_module(std::string_view image, std::string_view name, ModuleId* out) = 0;
  virtual Status unload_module(ModuleId module) = 0;
  virtual Status find_kernel(ModuleId module, std::string_view name, KernelId* out) = 0;
  virtual Status find_symbol(ModuleId module, std::string_view name, SymbolInfo* out) = 0;
  // The names of its kernels in the order of its text. A module that cannot be used fails here.
  virtual Status list_kernels(ModuleId module, std::vector<std::string>* names) {
    (void)module, (void)names;
    return {Failure::NotSupported, "this device cannot list kernels"};
  }
  // Whether its compiler disturbs work that runs, as that of a driver does, which waits for all streams: then modules
  // are loaded before there is work, and make_ready() says of each that its variables are declared. What fails there
  // is told by the first look-up.
  virtual bool wants_modules_ahead() const { return false; }
  virtual void make_ready(ModuleId module) { (void)module; }
  // Makes a variable managed memory although the module's PTX does not say so (.attribute(.managed)); call it before
  // the first look-up in the module.
  virtual Status make_managed(ModuleId module, std::string_view variable) {
    (void)module, (void)variable;
    return {Failure::NotSupported, "this device cannot make a variable managed"};
  }
  // The host also uses a managed variable at an address of its own, where the variable has pages of its own. Checkers
  // of host accesses should observe those pages.
  virtual void seen_at(Address address, size_t bytes, const void* host) { (void)address, (void)bytes, (void)host; }
  virtual const KernelInfo& kernel_info(KernelId kernel) const = 0;
  // Lets the launches of `kernel` use up to `bytes` of dynamic shared memory (the opt-in above 48 KiB).
  virtual Status allow_dynamic_shared(KernelId kernel, uint32_t bytes) = 0;
  // How many clusters of a launch are resident at once, as the device counts them; none: it does not, and what the
  // multiprocessors have room for is an upper bound (they form groups, which a cluster must not cross).
  virtual Status count_clusters(const Launch& launch, std::optional<int>* clusters) {
    (void)launch, *clusters = std::nullopt;
    return {};
  }
  // The heap of malloc() in kernels (cudaLimitMallocHeapSize), for launches from now on.
  virtual Status set_heap_size(size_t bytes) {
    (void)bytes;
    return {Failure::NotSupported, "this device cannot change the size of its heap"};
  }

  // The stack of a thread (cudaLimitStackSize), for launches from now on: its minimum for recursion and alloca.
  virtual Status set_stack_size(size_t bytes) {
    (void)bytes;
    return {Failure::NotSupported, "this device cannot change the size of stacks"};
  }

  // --- textures and surfaces -------------------------------------------------------------------- An image in device
  // memory that kernels sample, or read and write, by its handle. The caller keeps ownership of the memory; once it is
  // freed kernels must not use the handle.
  virtual Status create_texture(const TextureDescriptor& texture, uint64_t* handle) {
    (void)texture, (void)handle;
    return {Failure::NotSupported, "this device has no textures"};
  }
  // Waits for all submitted work first.
  virtual Status destroy_texture(uint64_t handle) {
    (void)handle;
    return {Failure::NotSupported, "this device has no textures"};
  }

  // A tensor map that has been encoded (tensor_map.h) becomes what kernels of this device read. Most read that form.
  virtual Status seal_tensor_map(void* tensor_map) {
    (void)tensor_map;
    return {};
  }
  // Changes the address in a sealed tensor map.
  virtual Status readdress_tensor_map(void* tensor_map, Address address);

  // --- streams and events ---------------------------------------------------------------------
  virtual StreamId create_stream(bool blocking, int priority) = 0;
  virtual Status destroy_stream(StreamId stream) = 0;
  virtual EventId create_event() = 0;
  virtual Status destroy_event(EventId event) = 0;

  // Checks what can be checked at once (dimensions, addresses) and queues the rest. A failure here is not sticky; one
  // that a kernel causes while it runs is returned by a later call that waits, and is sticky.
  virtual Status submit(StreamId stream, Command command) = 0;
  // Only from inside a HostFunction of this device that runs commands: executes the command before the device continues
  // with its work. A failure becomes the function's.
  virtual Status run_inside(const Command& command) {
    (void)command;
    return {Failure::NotSupported, "this device runs no commands inside others"};
  }
  virtual void fail_inside(Status status) { (void)status; }
  // Waits until all work of the stream (or of the device) has run. Returns the first sticky failure.
  virtual Status wait(StreamId stream) = 0;
  virtual Status wait_all() = 0;
  virtual Status wait_event(EventId event) = 0;
  // The program ends or gives the device up: all work that can run is run; work that waits for a value that has not
  // been written is dropped.
  virtual void end_work() { (void)wait_all(); }
  // Whether the work is done; may run some of it to find out.
  virtual bool stream_done(StreamId stream) = 0;
  virtual bool event_done(EventId event) = 0;
  virtual bool event_recorded(EventId event) const = 0;
  // Device time at which the event was reached, in nanoseconds; only valid after event_done.
  virtual uint64_t event_time(EventId event) const = 0;
  // From one event to another, both done; negative where they are in the other order.
  virtual double milliseconds_between(EventId from, EventId to) const {
    return static_cast<double>(static_cast<int64_t>(event_time(to) - event_time(from))) * 1e-6;
  }

  // The failure that poisoned the device, or success. Cleared only by reset().
  virtual Status sticky_failure() const = 0;
  // Frees all memory, modules, streams and events (cudaDeviceReset).
  virtual void reset() = 0;

  // Receives findings while programs are checked; null when they are not.
  virtual FindingSink* findings() const { return nullptr; }
  // The program annotates its own memory, in the order of its submissions; ignored unless the program is checked.
  virtual void annotate(MemoryAnnotation annotation) { (void)annotation; }
  // Receives the program's calls and ranges; null when the program is not profiled.
  virtual ProgramTrace* program_trace() { return nullptr; }
};

}  // namespace warpwise::device
