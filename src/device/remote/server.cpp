#include "device/remote/server.h"

#include <utility>

#include "device/remote/channel.h"
#include "device/remote/wire_fields.h"
#include "device/tensor_map.h"

namespace warpwise::device::remote {
namespace {

Status malformed() { return {Failure::InvalidValue, "a message to the device is malformed"}; }
Status too_many(const char* what) { return {Failure::OutOfMemory, std::string("too many ") + what}; }
Status unknown(const char* what) { return {Failure::InvalidValue, std::string("there is no such ") + what}; }

constexpr uint64_t kLargest = uint64_t{1} << 48;  // of any size, pitch or distance

// The bytes of a box without its gaps; false when they are more than `most`.
bool packed_bytes(const CopyShape& s, uint64_t most, uint64_t* bytes) {
  return !__builtin_mul_overflow(s.width, s.height, bytes) && !__builtin_mul_overflow(*bytes, s.depth, bytes) &&
         *bytes <= most;
}

// Sums of these do not overflow.
bool sensible(const CopyShape& s) {
  for (size_t n : {s.width, s.height, s.depth, s.dst_pitch, s.src_pitch, s.dst_slice, s.src_slice})
    if (n > kLargest) return false;
  return s.height <= 1 || s.width == 0 || (s.height < kLargest && s.depth < kLargest);
}

// The host's side of a box is packed in a message.
CopyShape with_packed_source(CopyShape s) { return s.src_pitch = s.width, s.src_slice = s.width * s.height, s; }
CopyShape with_packed_destination(CopyShape s) { return s.dst_pitch = s.width, s.dst_slice = s.width * s.height, s; }

// A texture whose sums cannot overflow; the device checks whether its texels lie in memory.
bool sensible(const TextureDescriptor& texture) {
  constexpr uint32_t kMostTexels = 1 << 28;
  const Image& image = texture.image;
  const TexelFormat& f = image.format;
  if ((f.bits != 8 && f.bits != 16 && f.bits != 32) || (f.channels != 1 && f.channels != 2 && f.channels != 4))
    return false;
  if (image.layers == 0 || image.layers > 2048 * 6 || image.level_count == 0 || image.level_count > kMaxLevels)
    return false;
  for (uint32_t i = 0; i < image.level_count; ++i) {
    const ImageLevel& l = image.levels[i];
    if (l.width == 0 || l.height == 0 || l.depth == 0 || l.width > kMostTexels || l.height > kMostTexels ||
        l.depth > 1 << 16)
      return false;
    if (l.pitch > (uint64_t{1} << 32) || l.slice > (uint64_t{1} << 32) || l.base > kLargest) return false;
  }
  return true;
}

}  // namespace

std::string Server::answer(std::string_view message) {
  using Member = Status (Server::*)(Reader&, Writer&);
  static constexpr Member kCalls[] = {
#define CALL(name, request, answer) &Server::name,
#include "device/remote/calls.inc"
#undef CALL
  };
  Reader in(message);
  auto call = in.next<uint32_t>();
  if (!in.good_so_far() || call >= std::size(kCalls)) return {};
  Writer result;
  const Member member =
      kCalls[call];  // separate: GCC 12's bounds sanitizer reads the index of `this->*kCalls[call]` too late
  Status status = (this->*member)(in, result);
  return reply(status, result.bytes);
}

std::string Server::reply(const Status& status, std::string_view result) const {
  Writer whole;
  whole(status, gpu_.sticky_failure());
  if (status.ok()) whole.bytes += result;
  return std::move(whole.bytes);
}

std::string Server::serve(int socket) {
  const size_t longest = std::max(limits_.module_bytes, kLongestCopy) + 4096;
  std::string message;
  Status late;  // of posted messages, the first failure
  for (;;) {
    bool posted = false;
    switch (receive_message(socket, message, longest)) {
      case Received::Nothing:
        return "";
      case Received::NoMessage:
        return "a message to the device begins as none does";
      case Received::TooLong:
        return "a message to the device is longer than any";
      case Received::Posted:
        posted = true;
        break;
      case Received::Message:
        break;
    }
    std::string answered = answer(message);
    if (answered.empty()) return "a message to the device requests something that does not exist";
    if (posted) {
      Reader status(answered);
      if (late.ok()) status(late);
      continue;
    }
    if (!late.ok()) answered = reply(std::exchange(late, {}), "");
    if (!send_message(socket, answered)) return "";
  }
}

void Server::release() {
  (void)gpu_.wait_all();
  for (uint64_t texture : textures_) (void)gpu_.destroy_texture(texture);
  for (EventId event : events_) (void)gpu_.destroy_event(event);
  for (StreamId stream : streams_) (void)gpu_.destroy_stream(stream);
  for (ModuleId module : modules_) (void)gpu_.unload_module(module);
  for (const auto& [address, size] : allocations_) (void)gpu_.free(address);
  textures_.clear(), events_.clear(), streams_.clear(), modules_.clear(), kernels_.clear(), allocations_.clear();
  allocated_bytes_ = 0;
}

Status Server::Hello(Reader& in, Writer& out) {
  auto version = in.next<uint32_t>();
  if (!in.ok()) return malformed();
  if (version != kVersion)
    return {Failure::NotSupported, "the program and the device are of different versions of Warpwise"};
  const Properties& p = gpu_.properties();
  out(p.id, p.name, p);
  return {};
}

// --- memory

Status Server::Allocate(Reader& in, Writer& out) {
  size_t size = 0;
  MemoryKind kind{};
  in(size, kind);
  if (!in.ok()) return malformed();
  if (kind != MemoryKind::Device)
    return {Failure::NotSupported, "this device is in another process: it has no memory that the host can access"};
  if (allocations_.size() >= limits_.handles) return too_many("allocations");
  if (size > limits_.memory_bytes - allocated_bytes_)
    return {Failure::OutOfMemory, std::to_string(size) + " bytes are more than the " +
                                      std::to_string(limits_.memory_bytes - allocated_bytes_) +
                                      " that this program has left"};
  Address address = 0;
  if (Status status = gpu_.allocate(size, kind, &address); !status.ok()) return status;
  allocations_[address] = size;
  allocated_bytes_ += size;
  out(address);
  return {};
}

Status Server::Free(Reader& in, Writer&) {
  auto address = in.next<Address>();
  if (!in.ok()) return malformed();
  auto found = allocations_.find(address);
  if (found == allocations_.end()) {
    if (auto others = gpu_.find_allocation(address); others && others->base == address)
      return {Failure::InvalidValue, "this memory was not allocated by this program"};
    // The device gives the best message: it frees nothing that is not the start of an allocation.
    return gpu_.find_allocation(address)
               ? Status{Failure::InvalidValue, "not the start of an allocation"}
               : Status{Failure::InvalidValue, "not an address of this device, or freed before"};
  }
  Status status = gpu_.free(address);
  if (!status.ok()) return status;
  allocated_bytes_ -= found->second;
  allocations_.erase(found);
  return {};
}

Status Server::FindAllocation(Reader& in, Writer& out) {
  auto address = in.next<Address>();
  if (!in.ok()) return malformed();
  auto found = gpu_.find_allocation(address);
  out(found.has_value(), found.value_or(Allocation{}));
  return {};
}

Status Server::MemoryInfo(Reader& in, Writer& out) {
  if (!in.ok()) return malformed();
  size_t free_bytes = 0, total_bytes = 0;
  gpu_.memory_info(&free_bytes, &total_bytes);
  out(uint64_t{std::min<uint64_t>(free_bytes, limits_.memory_bytes - allocated_bytes_)}, uint64_t{total_bytes});
  return {};
}

// --- modules

Status Server::LoadModule(Reader& in, Writer& out) {
  std::string_view image, name;
  in(image, name);
  if (!in.ok() || image.size() > limits_.module_bytes) return malformed();
  if (modules_.size() >= limits_.handles) return too_many("modules");
  if (may_load && !may_load(image))
    return {Failure::InvalidImage, "this device runs the kernels of the program's own source alone"};
  ModuleId module = 0;
  if (Status status = gpu_.load_module(image, name, &module); !status.ok()) return status;
  modules_.insert(module);
  out(module);
  return {};
}

Status Server::UnloadModule(Reader& in, Writer&) {
  auto module = in.next<ModuleId>();
  if (!in.ok()) return malformed();
  if (!modules_.contains(module)) return unknown("module");
  if (Status status = gpu_.unload_module(module); !status.ok()) return status;
  modules_.erase(module);
  std::erase_if(kernels_, [&](const auto& kernel) { return kernel.second == module; });
  return {};
}

Status Server::FindKernel(Reader& in, Writer& out) {
  ModuleId module = 0;
  std::string_view name;
  in(module, name);
  if (!in.ok()) return malformed();
  if (!modules_.contains(module)) return unknown("module");
  KernelId kernel = 0;
  if (Status status = gpu_.find_kernel(module, name, &kernel); !status.ok()) return status;
  kernels_[kernel] = module;
  out(kernel, gpu_.kernel_info(kernel));
  return {};
}

Status Server::FindSymbol(Reader& in, Writer& out) {
  ModuleId module = 0;
  std::string_view name;
  in(module, name);
  if (!in.ok()) return malformed();
  if (!modules_.contains(module)) return unknown("module");
  SymbolInfo symbol;
  if (Status status = gpu_.find_symbol(module, name, &symbol); !status.ok()) return status;
  out(symbol);
  return {};
}

Status Server::ListKernels(Reader& in, Writer& out) {
  auto module = in.next<ModuleId>();
  if (!in.ok()) return malformed();
  if (!modules_.contains(module)) return unknown("module");
  std::vector<std::string> names;
  if (Status status = gpu_.list_kernels(module, &names); !status.ok()) return status;
  out(names);
  return {};
}

Status Server::AllowDynamicShared(Reader& in, Writer&) {
  KernelId kernel = 0;
  uint32_t bytes = 0;
  in(kernel, bytes);
  if (!in.ok()) return malformed();
  if (!kernels_.contains(kernel)) return unknown("kernel");
  return gpu_.allow_dynamic_shared(kernel, bytes);
}

Status Server::SetHeapSize(Reader& in, Writer&) {
  auto bytes = in.next<uint64_t>();
  if (!in.ok()) return malformed();
  if (bytes > limits_.heap_bytes)
    return {Failure::OutOfMemory, "the heap of kernels may have " + std::to_string(limits_.heap_bytes) + " bytes here"};
  return gpu_.set_heap_size(bytes);
}

Status Server::SetStackSize(Reader& in, Writer&) {
  auto bytes = in.next<uint64_t>();
  if (!in.ok()) return malformed();
  if (bytes > kLargest) return {Failure::InvalidValue, "a stack of that size"};
  return gpu_.set_stack_size(bytes);
}

// --- textures and tensor maps

namespace {

// Of the bytes of a tensor map; malformed messages have another number of them.
bool read_tensor_map(Reader& in, std::byte (&map)[kTensorMapBytes]) {
  std::string_view bytes = in.next<std::string_view>();
  if (bytes.size() != sizeof map) return false;
  std::memcpy(map, bytes.data(), sizeof map);
  return true;
}
std::string_view text_of(const std::byte (&map)[kTensorMapBytes]) {
  return {reinterpret_cast<const char*>(map), sizeof map};
}

}  // namespace

Status Server::SealTensorMap(Reader& in, Writer& out) {
  alignas(64) std::byte map[kTensorMapBytes];
  if (!read_tensor_map(in, map) || !in.ok()) return malformed();
  if (Status status = gpu_.seal_tensor_map(map); !status.ok()) return status;
  out(text_of(map));
  return {};
}

Status Server::ReaddressTensorMap(Reader& in, Writer& out) {
  alignas(64) std::byte map[kTensorMapBytes];
  const bool read = read_tensor_map(in, map);
  const auto address = in.next<Address>();
  if (!read || !in.ok()) return malformed();
  if (Status status = gpu_.readdress_tensor_map(map, address); !status.ok()) return status;
  out(text_of(map));
  return {};
}

Status Server::CreateTexture(Reader& in, Writer& out) {
  TextureDescriptor texture;
  in(texture);
  if (!in.ok()) return malformed();
  if (!sensible(texture)) return {Failure::InvalidValue, "not a texture"};
  if (textures_.size() >= limits_.handles) return too_many("textures");
  uint64_t handle = 0;
  if (Status status = gpu_.create_texture(texture, &handle); !status.ok()) return status;
  textures_.insert(handle);
  out(handle);
  return {};
}

Status Server::DestroyTexture(Reader& in, Writer&) {
  auto handle = in.next<uint64_t>();
  if (!in.ok()) return malformed();
  if (!textures_.contains(handle)) return unknown("texture");
  Status status = gpu_.destroy_texture(handle);
  if (status.ok()) textures_.erase(handle);
  return status;
}

// --- streams and events

Status Server::CreateStream(Reader& in, Writer& out) {
  bool blocking = false;
  int32_t priority = 0;
  in(blocking, priority);
  if (!in.ok()) return malformed();
  if (streams_.size() >= limits_.handles) return too_many("streams");
  StreamId stream = gpu_.create_stream(blocking, priority);
  streams_.insert(stream);
  out(stream);
  return {};
}

Status Server::DestroyStream(Reader& in, Writer&) {
  auto stream = in.next<StreamId>();
  if (!in.ok()) return malformed();
  if (!streams_.contains(stream)) return unknown("stream");
  Status status = gpu_.destroy_stream(stream);
  if (status.ok()) streams_.erase(stream);
  return status;
}

Status Server::CreateEvent(Reader& in, Writer& out) {
  if (!in.ok()) return malformed();
  if (events_.size() >= limits_.handles) return too_many("events");
  EventId event = gpu_.create_event();
  events_.insert(event);
  out(event);
  return {};
}

Status Server::DestroyEvent(Reader& in, Writer&) {
  auto event = in.next<EventId>();
  if (!in.ok()) return malformed();
  if (!events_.contains(event)) return unknown("event");
  Status status = gpu_.destroy_event(event);
  if (status.ok()) events_.erase(event);
  return status;
}

// --- commands

// For commands that use memory of a message: executed before the message is released.
Status Server::run(StreamId stream, Command command) {
  if (Status status = gpu_.submit(stream, std::move(command)); !status.ok()) return status;
  return gpu_.wait(stream);
}

Status Server::Copy(Reader& in, Writer&) {
  StreamId stream = 0;
  CopyOnDevice copy{};
  in(stream, copy.dst, copy.src, copy.shape);
  if (!in.ok() || !sensible(copy.shape)) return malformed();
  if (!owns_stream(stream)) return unknown("stream");
  return gpu_.submit(stream, copy);
}

Status Server::CopyIn(Reader& in, Writer&) {
  StreamId stream = 0;
  CopyToDevice copy{};
  in(stream, copy.dst, copy.shape);
  std::string_view bytes = in.rest();
  uint64_t packed = 0;
  if (!in.ok() || !sensible(copy.shape) || !packed_bytes(copy.shape, kLongestCopy, &packed) || packed != bytes.size())
    return malformed();
  if (!owns_stream(stream)) return unknown("stream");
  copy.src = bytes.data();
  copy.shape = with_packed_source(copy.shape);
  if (on_copy_in) on_copy_in(copy.dst, copy.shape);
  return run(stream, copy);
}

Status Server::CopyOut(Reader& in, Writer& out) {
  StreamId stream = 0;
  CopyFromDevice copy{};
  in(stream, copy.src, copy.shape);
  uint64_t packed = 0;
  if (!in.ok() || !sensible(copy.shape) || !packed_bytes(copy.shape, kLongestCopy, &packed)) return malformed();
  if (!owns_stream(stream)) return unknown("stream");
  out.bytes.resize(packed);
  copy.dst = out.bytes.data();
  copy.shape = with_packed_destination(copy.shape);
  if (on_copy_out) on_copy_out(copy.src, copy.shape);
  return run(stream, copy);
}

Status Server::Fill(Reader& in, Writer&) {
  StreamId stream = 0;
  device::Fill fill{};
  in(stream, fill);
  if (!in.ok() || fill.width > kLargest || fill.height > kLargest || fill.pitch > kLargest) return malformed();
  if (fill.value_bytes != 1 && fill.value_bytes != 2 && fill.value_bytes != 4) return malformed();
  if (!owns_stream(stream)) return unknown("stream");
  if (on_fill) on_fill(fill);
  return gpu_.submit(stream, fill);
}

Status Server::Launch(Reader& in, Writer&) {
  StreamId stream = 0;
  device::Launch launch;
  in(stream, launch);
  if (!in.ok()) return malformed();
  if (!owns_stream(stream)) return unknown("stream");
  if (!kernels_.contains(launch.kernel)) return unknown("kernel");
  if (launch.parameters.size() != gpu_.kernel_info(launch.kernel).parameter_bytes)
    return {Failure::InvalidValue, "the kernel has other parameters"};
  return gpu_.submit(stream, std::move(launch));
}

Status Server::RecordEvent(Reader& in, Writer&) {
  StreamId stream = 0;
  device::RecordEvent record{};
  in(stream, record.event, record.timing);
  if (!in.ok()) return malformed();
  if (!owns_stream(stream)) return unknown("stream");
  if (!events_.contains(record.event)) return unknown("event");
  return gpu_.submit(stream, record);
}

Status Server::WaitEvent(Reader& in, Writer&) {
  StreamId stream = 0;
  device::WaitEvent wait{};
  in(stream, wait.event);
  if (!in.ok()) return malformed();
  if (!owns_stream(stream)) return unknown("stream");
  if (!events_.contains(wait.event)) return unknown("event");
  return gpu_.submit(stream, wait);
}

Status Server::Wait(Reader& in, Writer&) {
  auto stream = in.next<StreamId>();
  if (!in.ok()) return malformed();
  return owns_stream(stream) ? gpu_.wait(stream) : unknown("stream");
}

Status Server::WaitAll(Reader& in, Writer&) { return in.ok() ? gpu_.wait_all() : malformed(); }

Status Server::AwaitEvent(Reader& in, Writer&) {
  auto event = in.next<EventId>();
  if (!in.ok()) return malformed();
  return events_.contains(event) ? gpu_.wait_event(event) : unknown("event");
}

Status Server::StreamDone(Reader& in, Writer& out) {
  auto stream = in.next<StreamId>();
  if (!in.ok()) return malformed();
  if (!owns_stream(stream)) return unknown("stream");
  out(gpu_.stream_done(stream));
  return {};
}

Status Server::EventState(Reader& in, Writer& out) {
  auto event = in.next<EventId>();
  if (!in.ok()) return malformed();
  if (!events_.contains(event)) return unknown("event");
  bool recorded = gpu_.event_recorded(event), done = gpu_.event_done(event);
  out(recorded, done, done ? gpu_.event_time(event) : uint64_t{0});
  return {};
}

Status Server::Sticky(Reader& in, Writer&) { return in.ok() ? gpu_.sticky_failure() : malformed(); }

// The device may have other clients: only what this client has made is released.
Status Server::Reset(Reader& in, Writer&) {
  if (!in.ok()) return malformed();
  release();
  return {};
}

}  // namespace warpwise::device::remote
