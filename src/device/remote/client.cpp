#include "device/remote/client.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "device/remote/channel.h"
#include "device/remote/server.h"
#include "device/remote/wire_fields.h"
#include "device/tensor_map.h"

namespace warpwise::device::remote {
namespace {

class Client : public Device {
 public:
  explicit Client(int socket) : socket_(socket) {}
  ~Client() override;
  Result<void> greet();

  const Properties& properties() const override { return *properties_; }
  Status allocate(size_t size, MemoryKind kind, Address* out) override;
  Status free(Address base) override;
  std::optional<Allocation> find_allocation(Address address) const override;
  void memory_info(size_t* free_bytes, size_t* total_bytes) const override;
  Status load_module(std::string_view image, std::string_view name, ModuleId* out) override {
    return request_value(*out, Call::LoadModule, image, name);
  }
  Status unload_module(ModuleId module) override { return request(Call::UnloadModule, module); }
  Status find_kernel(ModuleId module, std::string_view name, KernelId* out) override;
  Status find_symbol(ModuleId module, std::string_view name, SymbolInfo* out) override {
    return request_value(*out, Call::FindSymbol, module, name);
  }
  Status list_kernels(ModuleId module, std::vector<std::string>* names) override {
    return request_value(*names, Call::ListKernels, module);
  }
  const KernelInfo& kernel_info(KernelId kernel) const override;
  Status allow_dynamic_shared(KernelId kernel, uint32_t bytes) override {
    return request(Call::AllowDynamicShared, kernel, bytes);
  }
  Status set_heap_size(size_t bytes) override { return request(Call::SetHeapSize, uint64_t{bytes}); }
  Status set_stack_size(size_t bytes) override { return request(Call::SetStackSize, uint64_t{bytes}); }
  Status create_texture(const TextureDescriptor& texture, uint64_t* handle) override {
    return request_value(*handle, Call::CreateTexture, texture);
  }
  Status destroy_texture(uint64_t handle) override { return request(Call::DestroyTexture, handle); }
  Status seal_tensor_map(void* map) override {
    return replace_tensor_map(map, raw(Call::SealTensorMap, bytes_of(map)));
  }
  Status readdress_tensor_map(void* map, Address address) override {
    return replace_tensor_map(map, raw(Call::ReaddressTensorMap, bytes_of(map), address));
  }
  StreamId create_stream(bool blocking, int priority) override;
  Status destroy_stream(StreamId stream) override { return request(Call::DestroyStream, stream); }
  EventId create_event() override;
  Status destroy_event(EventId event) override { return request(Call::DestroyEvent, event); }
  Status submit(StreamId stream, Command command) override;
  Status run_inside(const Command& command) override;
  void fail_inside(Status status) override;
  Status wait(StreamId stream) override;
  Status wait_all() override { return or_own_failure(request(Call::WaitAll)); }
  Status wait_event(EventId event) override { return or_own_failure(request(Call::AwaitEvent, event)); }
  bool stream_done(StreamId stream) override;
  bool event_done(EventId event) override { return state_of(event).done; }
  bool event_recorded(EventId event) const override { return state_of(event).recorded; }
  uint64_t event_time(EventId event) const override { return state_of(event).time; }
  Status sticky_failure() const override;
  void reset() override;

 private:
  struct Answer {
    Status status;
    std::string bytes;  // after the status
  };
  struct EventState {
    bool recorded = false, done = true;
    uint64_t time = 0;
  };

  // `waits_for`: the commands of that stream have been done before the reply comes.
  Answer exchange(const std::string& message, std::optional<StreamId> waits_for = {}) const;
  Status launch(StreamId stream, const device::Launch& launch);
  Status fill(StreamId stream, const device::Fill& fill);
  void post(const std::string& message);
  template <class... T>
  Answer raw(Call call, const T&... values) const {
    if (may_refuse_more(call)) forget_accepted();
    if (may_make_memory(call)) forget_host_addresses();
    Writer message;
    message(static_cast<uint32_t>(call), values...);
    return exchange(message.bytes);
  }
  template <class... T>
  Status request(Call call, const T&... values) const {
    return raw(call, values...).status;
  }
  template <class R, class... T>
  Status request_value(R& result, Call call, const T&... values) const {
    Answer answer = raw(call, values...);
    if (!answer.status.ok()) return answer.status;
    Reader in(answer.bytes);
    in(result);
    return in.ok() ? Status{} : device_gone();
  }
  static Status device_gone() { return {Failure::LaunchFailure, "the process of the device no longer responds"}; }
  EventState state_of(EventId event) const;
  Status or_own_failure(Status status);
  Status host_memory(const char* side, const void* pointer) const;
  Status copy(StreamId stream, const CopyToDevice& copy);
  Status copy(StreamId stream, const CopyFromDevice& copy);

  // After such a call the device may refuse a command that it has accepted before.
  static bool may_refuse_more(Call call) {
    return call == Call::UnloadModule || call == Call::AllowDynamicShared || call == Call::SetStackSize ||
           call == Call::SetHeapSize || call == Call::DestroyStream || call == Call::Reset;
  }
  void forget_accepted() const {
    std::lock_guard lock(talking_);
    accepted_launches_.clear();
    accepted_fills_.clear();
  }
  static bool may_make_memory(Call call) {
    return call == Call::Allocate || call == Call::LoadModule || call == Call::SetHeapSize || call == Call::Reset;
  }
  void forget_host_addresses() const {
    std::lock_guard lock(mutex_);
    host_addresses_.clear();
  }

  static std::string_view bytes_of(const void* tensor_map) {
    return {static_cast<const char*>(tensor_map), kTensorMapBytes};
  }
  static Status replace_tensor_map(void* map, const Answer& answer) {
    if (!answer.status.ok()) return answer.status;
    Reader in(answer.bytes);
    const auto bytes = in.next<std::string_view>();
    if (!in.ok() || bytes.size() != kTensorMapBytes) return device_gone();
    std::memcpy(map, bytes.data(), bytes.size());
    return {};
  }

  int socket_;
  const Properties* properties_ = nullptr;
  std::string id_, name_;  // of a device that is not in our table
  Properties figures_;
  mutable std::mutex talking_;  // one request at a time
  mutable bool lost_ = false;
  mutable std::string posted_;                       // goes first with the next message
  mutable std::set<std::string> accepted_launches_;  // without their parameters
  mutable std::set<std::string> accepted_fills_;
  mutable Status failed_;                       // whether the device has, as the last reply says
  mutable unsigned asked_since_reply_ = 0;      // how often that was wanted since
  mutable std::optional<StreamId> waited_for_;  // nothing has been sent since its commands were done
  mutable std::mutex mutex_;                    // the tables below
  mutable std::set<Address> host_addresses_;    // that the device does not know
  std::map<Address, size_t> pinned_, allocated_;
  std::map<KernelId, KernelInfo> kernels_;
  Status own_failure_, inside_;  // of host functions
};

// A box, cut into pieces that fit a message: f(piece's shape, offset of its first byte in the destination, in the
// source).
template <class F>
Status in_pieces(const CopyShape& s, F&& f) {
  for (size_t z = 0; z < s.depth; ++z) {
    size_t rows_at_once = s.width && s.width <= kLongestCopy ? kLongestCopy / s.width : 1;
    for (size_t y = 0; y < s.height; y += rows_at_once)
      for (size_t x = 0; x < s.width; x += kLongestCopy) {
        CopyShape piece = s;
        piece.depth = 1;
        piece.height = std::min(rows_at_once, s.height - y);
        piece.width = std::min(kLongestCopy, s.width - x);
        Status status = f(piece, z * s.dst_slice + y * s.dst_pitch + x, z * s.src_slice + y * s.src_pitch + x);
        if (!status.ok()) return status;
      }
  }
  return {};
}

Client::~Client() {
  if (!lost_) (void)send_posted(socket_, posted_);
  for (const auto& [base, size] : pinned_) munmap(reinterpret_cast<void*>(base), size);
  close(socket_);
}

Client::Answer Client::exchange(const std::string& message, std::optional<StreamId> waits_for) const {
  std::lock_guard lock(talking_);
  waited_for_.reset();
  std::string reply;
  constexpr size_t kLongestReply = kLongestCopy + (64 << 10);
  if (!lost_ && (!send_message(socket_, message, std::exchange(posted_, {})) ||
                 receive_message(socket_, reply, kLongestReply) != Received::Message))
    lost_ = true;
  if (lost_) return {device_gone(), {}};
  Reader in(reply);
  Answer answer;
  Status failed;
  in(answer.status, failed);
  answer.bytes = in.rest();
  if (!in.good_so_far()) return {device_gone(), {}};
  failed_ = std::move(failed), asked_since_reply_ = 0;
  if (answer.status.ok()) waited_for_ = waits_for;
  return answer;
}

// With the next request, or when there are many.
void Client::post(const std::string& message) {
  constexpr size_t kMostPosted = 16 << 10;
  append_posted(posted_, message);
  waited_for_.reset();
  if (posted_.size() > kMostPosted) lost_ = !send_posted(socket_, std::exchange(posted_, {}));
}

Result<void> Client::greet() {
  Answer answer = raw(Call::Hello, kVersion);
  Reader in(answer.bytes);
  if (answer.status.ok()) in(id_, name_, figures_);
  if (answer.status.ok() && in.ok()) {
    properties_ = find_device(id_);
    if (properties_) return {};
    figures_.id = id_;
    figures_.name = name_;
    properties_ = &figures_;
    return {};
  }
  return Error{"R0501", fmt::format("there is no device at descriptor {}: {}", socket_,
                                    answer.status.ok() ? "its reply is invalid" : answer.status.detail)};
}

// --- memory

Status Client::allocate(size_t size, MemoryKind kind, Address* out) {
  if (kind == MemoryKind::Pinned) {
    if (size == 0) return {Failure::InvalidValue, "an allocation of 0 bytes"};
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return {Failure::OutOfMemory, fmt::format("no {} bytes of host memory", size)};
    *out = reinterpret_cast<Address>(memory);
    std::lock_guard lock(mutex_);
    pinned_[*out] = size;
    return {};
  }
  Status status = request_value(*out, Call::Allocate, size, kind);
  if (status.ok()) {
    std::lock_guard lock(mutex_);
    allocated_[*out] = size;
  }
  return status;
}

Status Client::free(Address base) {
  {
    std::lock_guard lock(mutex_);
    if (auto found = pinned_.find(base); found != pinned_.end()) {
      munmap(reinterpret_cast<void*>(base), found->second);
      pinned_.erase(found);
      return {};
    }
  }
  {
    std::lock_guard lock(talking_);
    accepted_fills_.clear();
  }
  Status status = request(Call::Free, base);
  if (status.ok()) {
    std::lock_guard lock(mutex_);
    allocated_.erase(base);
  }
  return status;
}

std::optional<Allocation> Client::find_allocation(Address address) const {
  auto in = [&](const std::map<Address, size_t>& table, MemoryKind kind) -> std::optional<Allocation> {
    auto next = table.upper_bound(address);
    if (next == table.begin()) return std::nullopt;
    const auto& [base, size] = *std::prev(next);
    if (address - base >= size) return std::nullopt;
    return Allocation{base, size, kind};
  };
  {
    std::lock_guard lock(mutex_);
    if (auto found = in(pinned_, MemoryKind::Pinned)) return found;
    if (auto found = in(allocated_, MemoryKind::Device)) return found;
    if (host_addresses_.contains(address)) return std::nullopt;
  }
  // A variable of a module, or an address that the server returned; or the host's own memory.
  Answer answer = raw(Call::FindAllocation, address);
  if (!answer.status.ok()) return std::nullopt;
  Reader reader(answer.bytes);
  bool there = false;
  Allocation found;
  reader(there, found);
  if (there && reader.ok()) return found;
  constexpr size_t kMostKept = 256;
  std::lock_guard lock(mutex_);
  if (reader.ok() && host_addresses_.size() < kMostKept) host_addresses_.insert(address);
  return std::nullopt;
}

void Client::memory_info(size_t* free_bytes, size_t* total_bytes) const {
  Answer answer = raw(Call::MemoryInfo);
  Reader in(answer.bytes);
  *free_bytes = in.next<uint64_t>();
  *total_bytes = in.next<uint64_t>();
}

// --- modules

Status Client::find_kernel(ModuleId module, std::string_view name, KernelId* out) {
  Answer answer = raw(Call::FindKernel, module, name);
  if (!answer.status.ok()) return answer.status;
  Reader in(answer.bytes);
  KernelInfo info;
  in(*out, info);
  if (!in.ok()) return device_gone();
  std::lock_guard lock(mutex_);
  kernels_.try_emplace(*out, std::move(info));
  return {};
}

const KernelInfo& Client::kernel_info(KernelId kernel) const {
  static const KernelInfo none;
  std::lock_guard lock(mutex_);
  auto found = kernels_.find(kernel);
  return found == kernels_.end() ? none : found->second;
}

// --- streams and events

StreamId Client::create_stream(bool blocking, int priority) {
  StreamId stream = 0;
  (void)request_value(stream, Call::CreateStream, blocking, int32_t{priority});
  return stream;
}

EventId Client::create_event() {
  EventId event = 0;
  (void)request_value(event, Call::CreateEvent);
  return event;
}

bool Client::stream_done(StreamId stream) {
  bool done = true;  // a device that is gone produces nothing more
  (void)request_value(done, Call::StreamDone, stream);
  return done;
}

Client::EventState Client::state_of(EventId event) const {
  EventState state;
  Answer answer = raw(Call::EventState, event);
  if (!answer.status.ok()) return state;
  Reader in(answer.bytes);
  in(state.recorded, state.done, state.time);
  return state;
}

// --- commands

// A device address in place of host memory would make the host fault.
Status Client::host_memory(const char* side, const void* pointer) const {
  auto address = reinterpret_cast<Address>(pointer);
  std::lock_guard lock(mutex_);
  auto next = allocated_.upper_bound(address);
  if (next == allocated_.begin() || address - std::prev(next)->first >= std::prev(next)->second) return {};
  return {Failure::InvalidValue,
          fmt::format("{}: host memory is needed here, and {:#x} is an address of the device", side, address)};
}

Status Client::copy(StreamId stream, const CopyToDevice& copy) {
  if (Status status = host_memory("src", copy.src); !status.ok()) return status;
  return in_pieces(copy.shape, [&](const CopyShape& piece, size_t to, size_t from) {
    Writer message;
    message(static_cast<uint32_t>(Call::CopyIn), stream, copy.dst + to, piece);
    for (size_t y = 0; y < piece.height; ++y)
      message.bytes.append(static_cast<const char*>(copy.src) + from + y * piece.src_pitch, piece.width);
    return exchange(message.bytes, stream).status;
  });
}

Status Client::copy(StreamId stream, const CopyFromDevice& copy) {
  if (Status status = host_memory("dst", copy.dst); !status.ok()) return status;
  return in_pieces(copy.shape, [&](const CopyShape& piece, size_t to, size_t from) {
    Writer message;
    message(static_cast<uint32_t>(Call::CopyOut), stream, copy.src + from, piece);
    Answer answer = exchange(message.bytes, stream);
    if (!answer.status.ok()) return answer.status;
    if (answer.bytes.size() != piece.width * piece.height) return device_gone();
    for (size_t y = 0; y < piece.height; ++y)
      std::memcpy(static_cast<char*>(copy.dst) + to + y * piece.dst_pitch, answer.bytes.data() + y * piece.width,
                  piece.width);
    return Status{};
  });
}

// The server has waited for a copy from or to the host before its reply.
Status Client::wait(StreamId stream) {
  bool waited = false;
  {
    std::lock_guard lock(talking_);
    waited = !lost_ && waited_for_ == stream;
  }
  return or_own_failure(waited ? Status{} : request(Call::Wait, stream));
}

constexpr size_t kMostAccepted = 1024;  // of launches, and of fills

Status Client::launch(StreamId stream, const device::Launch& launch) {
  device::Launch shape = launch;
  shape.parameters.clear();
  Writer key;
  key(stream, shape, launch.parameters.size());
  {
    std::lock_guard lock(talking_);
    if (!lost_ && accepted_launches_.contains(key.bytes)) {
      Writer message;
      message(static_cast<uint32_t>(Call::Launch), stream, launch);
      post(message.bytes);
      return {};
    }
  }
  Status status = request(Call::Launch, stream, launch);
  std::lock_guard lock(talking_);
  if (status.ok() && accepted_launches_.size() < kMostAccepted) accepted_launches_.insert(std::move(key.bytes));
  return status;
}

Status Client::fill(StreamId stream, const device::Fill& fill) {
  Writer message;
  message(static_cast<uint32_t>(Call::Fill), stream, fill);
  {
    std::lock_guard lock(talking_);
    if (!lost_ && accepted_fills_.contains(message.bytes)) {
      post(message.bytes);
      return {};
    }
  }
  Status status = exchange(message.bytes).status;
  std::lock_guard lock(talking_);
  if (status.ok() && accepted_fills_.size() < kMostAccepted) accepted_fills_.insert(std::move(message.bytes));
  return status;
}

Status Client::submit(StreamId stream, Command command) {
  {
    std::lock_guard lock(mutex_);
    if (is_sticky(own_failure_.failure)) return own_failure_;
  }
  struct Submitter {
    Client& self;
    StreamId stream;
    Status operator()(const CopyToDevice& c) { return self.copy(stream, c); }
    Status operator()(const CopyFromDevice& c) { return self.copy(stream, c); }
    Status operator()(const CopyOnDevice& c) { return self.request(Call::Copy, stream, c.dst, c.src, c.shape); }
    Status operator()(const CopyOnHost& c) {
      if (Status status = self.wait(stream); !status.ok()) return status;
      for (size_t z = 0; z < c.shape.depth; ++z)
        for (size_t y = 0; y < c.shape.height; ++y)
          std::memmove(static_cast<char*>(c.dst) + z * c.shape.dst_slice + y * c.shape.dst_pitch,
                       static_cast<const char*>(c.src) + z * c.shape.src_slice + y * c.shape.src_pitch, c.shape.width);
      return {};
    }
    Status operator()(const device::Fill& f) { return self.fill(stream, f); }
    Status operator()(const device::Launch& l) { return self.launch(stream, l); }
    Status operator()(const HostFunction& h) {
      if (Status status = self.wait(stream); !status.ok()) return status;
      h.call();
      std::lock_guard lock(self.mutex_);
      Status failed = std::exchange(self.inside_, {});
      // The failure is the function's, not submit's: the next call that waits returns it.
      if (!failed.ok() && self.own_failure_.ok()) self.own_failure_ = failed;
      return {};
    }
    Status operator()(const device::RecordEvent& r) {
      return self.request(Call::RecordEvent, stream, r.event, r.timing);
    }
    Status operator()(const device::WaitEvent& w) { return self.request(Call::WaitEvent, stream, w.event); }
    Status operator()(const device::WaitValue&) { return no_values(); }
    Status operator()(const device::WriteValue&) { return no_values(); }
    static Status no_values() {
      return {Failure::NotSupported, "streams of a device in another process neither wait for values nor write them"};
    }
    Status operator()(const device::Lifetime&) { return {}; }  // the server does not check
  };
  return std::visit(Submitter{*this, stream}, command);
}

// All work submitted before the function has run by now, so the next submission comes next.
Status Client::run_inside(const Command& command) {
  if (Status status = submit(0, command); !status.ok()) return status;
  return request(Call::Wait, StreamId{0});
}

void Client::fail_inside(Status status) {
  std::lock_guard lock(mutex_);
  inside_ = std::move(status);
}

Status Client::or_own_failure(Status status) {
  if (!status.ok()) return status;
  std::lock_guard lock(mutex_);
  if (own_failure_.ok() || is_sticky(own_failure_.failure)) return own_failure_;
  return std::exchange(own_failure_, {});
}

Status Client::sticky_failure() const {
  {
    std::lock_guard lock(mutex_);
    if (is_sticky(own_failure_.failure)) return own_failure_;
  }
  // Each call of the runtime asks first. The last reply answers, but not for ever: who asks in a loop waits for a
  // kernel that fails.
  constexpr unsigned kMostFromMemory = 64;
  {
    std::lock_guard lock(talking_);
    if (!lost_ && (!failed_.ok() || asked_since_reply_++ < kMostFromMemory)) return failed_;
  }
  return request(Call::Sticky);
}

void Client::reset() {
  (void)request(Call::Reset);
  std::lock_guard lock(mutex_);
  for (const auto& [base, size] : pinned_) munmap(reinterpret_cast<void*>(base), size);
  pinned_.clear(), allocated_.clear(), kernels_.clear();
  own_failure_ = inside_ = {};
}

}  // namespace

Result<std::unique_ptr<Device>> connect(int socket) {
  auto client = std::make_unique<Client>(socket);
  TRY(client->greet());
  return std::unique_ptr<Device>(std::move(client));
}

}  // namespace warpwise::device::remote
