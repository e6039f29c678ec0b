// A GPU, virtual or (Options::on) real: memory, modules, kernels.
//
//     auto device = warpwise::Device::open();
//     auto module = device->load(ptx);
//     auto kernel = module->kernel("scale");
//     auto data = device->upload(std::vector<float>{1, 2, 3});
//     auto launched = kernel->launch({.grid = {1}, .block = {32}}, *data, 3, 2.0f);
//     auto result = data->download<float>();
//
// (Each of these returns a Result to be checked.)
//
// Order. A device has one queue. launch() and fill() put work there and return; the work runs, in order, inside
// the calls that wait: synchronize(), and everything that reads or writes memory from the host.
//
// Failures. What is known at once (a grid that is too large, the wrong arguments, PTX that is wrong) comes back
// from the call and changes nothing. What a kernel does wrong while it runs comes back from the next call that
// waits, with the kernel, the block and thread, the source line and the memory in the message; from then on the
// device answers every call that uses it with the same error, as CUDA does. Open another one to go on. The code of
// such an Error is CUDA's name for it ("cudaErrorIllegalAddress"); others are Warpwise's own ("U0004").
//
// Threads. All functions of a device and of what belongs to it may be called from any thread, but for the usual
// rule that an object is not moved or destroyed while it is in use. Device, Module, Kernel and Memory are
// handles: they keep alive what they belong to, so the order in which they are destroyed does not matter.
//
// The process. The first device installs handlers for SIGSEGV, SIGBUS, SIGFPE and SIGILL, which end a kernel that
// faults; all other faults go to the handler that was there before. A kernel that runs long ends at SIGINT unless
// the program has a handler of its own. Device memory is mapped between 0x2000'0000'0000 and 0x7000'0000'0000.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "warpwise/compile.h"
#include "warpwise/options.h"
#include "warpwise/result.h"

namespace warpwise {

// Behind the handles.
struct DeviceState;
struct ModuleState;
struct KernelState;

// Recordings (trace.h).
class Trace;
struct RecordOptions;

using Address = std::uint64_t;  // of device memory, as kernels see it

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

// The figures of a GPU; sizes in bytes.
struct DeviceInfo {
  std::string id{};               // what Options::device takes: "h100"
  std::string name{};             // "NVIDIA H100 80GB HBM3"
  unsigned major = 0, minor = 0;  // compute capability
  unsigned multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
  std::uint32_t shared_bytes_per_block = 0;  // at most, static and dynamic together
  unsigned max_threads_per_block = 0;
  unsigned warp_size = 0;
};

// The GPUs that can be modelled.
std::vector<DeviceInfo> known_devices();
// The real GPUs of this machine; their ids, "gpu:0", are for Options::on. R0601, with the reason, where there is none;
// R0602 where the driver is too old.
Result<std::vector<DeviceInfo>> real_devices();

enum class MemoryKind : std::uint8_t {
  Device,   // the host faults when it touches it
  Managed,  // host and kernels use the same address
};

// What is known of a kernel without running it; sizes in bytes.
struct KernelInfo {
  std::string name{};  // as in the PTX: mangled, unless declared extern "C"
  std::vector<std::uint32_t> parameter_bytes{};
  std::uint32_t registers = 0;  // of a thread: an estimate
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;  // of a thread
  std::uint32_t max_threads_per_block = 0;
};

struct LaunchShape {
  Dim3 grid{};                             // in blocks
  Dim3 block{};                            // in threads
  std::uint32_t dynamic_shared_bytes = 0;  // above 48 KiB the permission that CUDA asks for is implied
  Dim3 cluster{};                          // in blocks; the grid is a multiple of it
  bool cooperative = false;                // all blocks make progress at the same time: grid-wide barriers
};

// An allocation, freed when the handle is destroyed (which waits for submitted work first).
class Memory {
 public:
  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;
  ~Memory();

  Address address() const { return address_; }
  std::size_t bytes() const { return bytes_; }
  // Managed memory on the host, valid as long as this handle; null for other memory. Between a launch and the next
  // call that waits it belongs to the kernel.
  void* host_pointer() const;

  // Copies between host and device; `offset` in bytes. They wait for all submitted work, then copy, then return.
  // cudaErrorInvalidValue when the range does not fit the allocation.
  Result<void> write(const void* source, std::size_t bytes, std::size_t offset = 0);
  Result<void> read(void* target, std::size_t bytes, std::size_t offset = 0) const;
  // Sets every byte; submitted like a launch.
  Result<void> fill(std::uint8_t value);

  // All of it as values of T; what is left of less than a T is not read.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  Result<std::vector<T>> download() const {
    std::vector<T> values(bytes_ / sizeof(T));
    if (auto done = read(values.data(), values.size() * sizeof(T)); !done) return done.error();
    return values;
  }

 private:
  friend class Device;
  friend class Kernel;
  Memory(std::shared_ptr<DeviceState> device, Address address, std::size_t bytes, MemoryKind kind);
  void free() noexcept;

  std::shared_ptr<DeviceState> device_;
  Address address_ = 0;
  std::size_t bytes_ = 0;
  MemoryKind kind_ = MemoryKind::Device;
};

// The bytes of one kernel argument; they are copied by launch().
struct Argument {
  const void* data = nullptr;
  std::size_t bytes = 0;
};

// A __global__ function of a loaded module. Copies are the same kernel.
class Kernel {
 public:
  const KernelInfo& info() const;

  // Submits a launch. Arguments have the types of the kernel's parameters, byte for byte: a `float` for a float, an
  // `int` for an int; a Memory, or an Address, for a pointer. A host pointer is none (and does not compile).
  // Compiles the kernel when it is launched for the first time with this block size.
  //
  // Errors, beside those of every device: cudaErrorInvalidValue when number or sizes of the arguments are wrong,
  // cudaErrorInvalidConfiguration and cudaErrorLaunchOutOfResources for shapes that the device or the kernel cannot
  // do, cudaErrorNotSupported with a code P09.. for an instruction that is not executed yet.
  template <class... Arguments>
  Result<void> launch(const LaunchShape& shape, const Arguments&... arguments) const {
    const Argument list[] = {argument_of(arguments)..., Argument{}};
    return launch_with(shape, std::span<const Argument>(list, sizeof...(arguments)));
  }
  // The same for arguments that are known only at run time.
  Result<void> launch_with(const LaunchShape& shape, std::span<const Argument> arguments) const;

  // Launches, waits, and returns what the warps of one block have done (trace.h, which is to be included). The device
  // must have been opened with Options::recording: U0005 otherwise. V0007 when the grid has no such block.
  template <class... Arguments>
  Result<Trace> record(const LaunchShape& shape, const RecordOptions& options, const Arguments&... arguments) const;
  Result<Trace> record_with(const LaunchShape& shape, const RecordOptions& options,
                            std::span<const Argument> arguments) const;

 private:
  friend class Module;
  explicit Kernel(std::shared_ptr<const KernelState> state) : state_(std::move(state)) {}

  template <class T>
  static Argument argument_of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "kernel arguments are copied byte for byte");
    static_assert(!std::is_pointer_v<T> && !std::is_array_v<T>,
                  "kernels cannot follow host pointers: pass a Memory or an Address");
    return {&value, sizeof value};
  }
  static Argument argument_of(const Memory& memory) { return {&memory.address_, sizeof memory.address_}; }

  std::shared_ptr<const KernelState> state_;
};

// A variable of a module.
struct Symbol {
  Address address = 0;
  std::size_t bytes = 0;
};

// PTX on a device, with its variables placed and initialised. Unloaded when the last handle of it, or of one of its
// kernels, is gone.
class Module {
 public:
  // By name as in the PTX. cudaErrorSymbolNotFound when there is none.
  Result<Kernel> kernel(std::string_view name) const;
  Result<Symbol> symbol(std::string_view name) const;

 private:
  friend class Device;
  explicit Module(std::shared_ptr<ModuleState> state) : state_(std::move(state)) {}
  std::shared_ptr<ModuleState> state_;
};

class Device {
 public:
  // U0004 when there is no such device, U0005 for options that cannot be; R0601 and R0602 when there is no GPU to run
  // on.
  static Result<Device> open(const Options& options = {});

  const DeviceInfo& info() const;

  // At least that many bytes, aligned to 512, contents unspecified. cudaErrorMemoryAllocation when there is no room,
  // cudaErrorInvalidValue for 0 bytes.
  Result<Memory> allocate(std::size_t bytes, MemoryKind kind = MemoryKind::Device);
  // An allocation with a copy of an array, a vector or a span.
  template <std::ranges::contiguous_range Values>
    requires std::is_trivially_copyable_v<std::ranges::range_value_t<Values>>
  Result<Memory> upload(const Values& values) {
    const std::size_t bytes = std::ranges::size(values) * sizeof(std::ranges::range_value_t<Values>);
    auto memory = allocate(bytes);
    if (!memory) return memory;
    if (auto done = memory->write(std::ranges::data(values), bytes); !done) return done.error();
    return memory;
  }

  // Loads PTX. `name` stands for it in messages. cudaErrorInvalidPtx with the places when it is wrong,
  // cudaErrorNoKernelImageForDevice when it is for a newer device.
  Result<Module> load(std::string_view ptx, std::string_view name = "module");
  // Compiles a source for this device and loads it; the errors of compile_cuda (compile.h) and of load.
  Result<Module> compile(std::string_view source, CompileOptions options = {});

  // Copies at addresses, such as those of symbols. They wait, as Memory::write and Memory::read do.
  Result<void> write(Address target, const void* source, std::size_t bytes);
  Result<void> read(void* target, Address source, std::size_t bytes) const;

  // Runs all that was submitted.
  Result<void> synchronize();

 private:
  explicit Device(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}
  std::shared_ptr<DeviceState> state_;
};

}  // namespace warpwise
