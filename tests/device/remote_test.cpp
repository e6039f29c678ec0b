// A device behind a socket: programs use it like the device itself, and messages of an untrusted client change nothing
// that belongs to others.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <numeric>
#include <random>
#include <thread>

#include "device/remote/channel.h"
#include "device/remote/client.h"
#include "device/remote/server.h"
#include "device/remote/wire_fields.h"
#include "exec/virtual_device.h"

namespace warpwise::device::remote {
namespace {

constexpr const char* kModule = R"(
.version 8.5
.target sm_90
.address_size 64
.global .align 4 .u32 counter = 41;
.visible .entry twice(.param .u64 at, .param .u32 n) {
  .reg .pred %p; .reg .u32 %n, %i, %v; .reg .u64 %a, %o;
  ld.param.u64 %a, [at]; ld.param.u32 %n, [n];
  mov.u32 %i, %tid.x;
  setp.ge.u32 %p, %i, %n;
  @%p bra done;
  mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o;
  ld.global.u32 %v, [%a]; add.u32 %v, %v, %v; st.global.u32 [%a], %v;
done:
  ret;
}
.visible .entry wild() { .reg .u64 %a; mov.u64 %a, 64; st.global.u32 [%a], 1; ret; }
)";

class RemoteDevice : public testing::Test {
 protected:
  RemoteDevice() {
    exec::DeviceSetup setup;
    setup.options.engine = exec::EngineKind::Interpreter;
    real_ = std::move(exec::VirtualDevice::create(std::move(setup))).value();
    server_ = std::make_unique<Server>(*real_, limits_);
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    serving_ = std::thread([this, end = ends[1]] {
      why_ = server_->serve(end);
      close(end);
    });
    gpu_ = std::move(connect(ends[0])).value();
  }
  ~RemoteDevice() override { hang_up(); }
  void hang_up() {
    gpu_.reset();
    if (serving_.joinable()) serving_.join();
  }

  Address allocate(size_t bytes) {
    Address address = 0;
    Status status = gpu_->allocate(bytes, MemoryKind::Device, &address);
    EXPECT_TRUE(status.ok()) << status.detail;
    return address;
  }
  static CopyShape row(size_t bytes) { return {.width = bytes, .dst_pitch = bytes, .src_pitch = bytes}; }
  Status put(Address to, const void* from, size_t bytes) { return gpu_->submit(0, CopyToDevice{to, from, row(bytes)}); }
  Status get(void* to, Address from, size_t bytes) { return gpu_->submit(0, CopyFromDevice{to, from, row(bytes)}); }
  Launch launch(const char* name, std::initializer_list<uint64_t> parameters = {}) {
    ModuleId module = 0;
    EXPECT_TRUE(gpu_->load_module(kModule, "test.ptx", &module).ok());
    Launch launch;
    Status status = gpu_->find_kernel(module, name, &launch.kernel);
    EXPECT_TRUE(status.ok()) << status.detail;
    const KernelInfo& info = gpu_->kernel_info(launch.kernel);
    launch.parameters.resize(info.parameter_bytes);
    size_t i = 0;
    for (uint64_t p : parameters) {
      std::memcpy(launch.parameters.data() + info.parameters[i].offset, &p, info.parameters[i].size);
      ++i;
    }
    launch.block.x = 64;
    return launch;
  }

  ServerLimits limits_{.memory_bytes = 64 << 20, .handles = 16, .module_bytes = 1 << 20, .heap_bytes = 1 << 20};
  std::unique_ptr<exec::VirtualDevice> real_;
  std::unique_ptr<Server> server_;
  std::thread serving_;
  std::string why_;
  std::unique_ptr<Device> gpu_;
};

TEST_F(RemoteDevice, RunsKernels) {
  EXPECT_EQ(&gpu_->properties(), &real_->properties());
  std::vector<uint32_t> numbers(64), back(64);
  std::iota(numbers.begin(), numbers.end(), 0);
  Address memory = allocate(256);
  ASSERT_TRUE(put(memory, numbers.data(), 256).ok());
  Launch doubling = launch("twice", {memory, 60});
  EXPECT_EQ(gpu_->kernel_info(doubling.kernel).name, "twice");
  ASSERT_TRUE(gpu_->submit(0, doubling).ok());
  ASSERT_TRUE(gpu_->wait_all().ok());
  ASSERT_TRUE(get(back.data(), memory, 256).ok());
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(back[i], i < 60 ? 2 * i : i);
  EXPECT_TRUE(gpu_->free(memory).ok());
  EXPECT_FALSE(gpu_->free(memory).ok());
}

TEST_F(RemoteDevice, FindsVariables) {
  ModuleId module = 0;
  ASSERT_TRUE(gpu_->load_module(kModule, "test.ptx", &module).ok());
  SymbolInfo symbol;
  ASSERT_TRUE(gpu_->find_symbol(module, "counter", &symbol).ok());
  uint32_t value = 0;
  ASSERT_TRUE(get(&value, symbol.address, 4).ok());
  EXPECT_EQ(value, 41u);
  EXPECT_EQ(gpu_->find_allocation(symbol.address)->base, symbol.address);
  std::vector<std::string> names;
  ASSERT_TRUE(gpu_->list_kernels(module, &names).ok());
  EXPECT_EQ(names, (std::vector<std::string>{"twice", "wild"}));
  EXPECT_EQ(gpu_->find_symbol(module, "nothing", &symbol).failure, Failure::NotFound);
}

// Boxes of rows with gaps on both sides, of more than a message holds.
TEST_F(RemoteDevice, CopiesBoxes) {
  constexpr size_t kRows = 5, kDepth = 3;
  for (size_t width : {size_t{100}, kLongestCopy / 3, kLongestCopy + 77}) {
    size_t depth = width > 100 ? 1 : kDepth;
    size_t host_pitch = width + 3, device_pitch = (width + 511) / 512 * 512;
    std::vector<unsigned char> from(host_pitch * kRows * depth), to(from.size(), 0xee);
    std::minstd_rand random(1);
    for (auto& byte : from) byte = static_cast<unsigned char>(random());
    Address memory = allocate(device_pitch * kRows * depth);
    CopyShape in{width, kRows, depth, device_pitch, host_pitch, device_pitch * kRows, host_pitch * kRows};
    CopyShape out{width, kRows, depth, host_pitch, device_pitch, host_pitch * kRows, device_pitch * kRows};
    Status status = gpu_->submit(0, CopyToDevice{memory, from.data(), in});
    ASSERT_TRUE(status.ok()) << status.detail;
    ASSERT_TRUE(gpu_->submit(0, CopyFromDevice{to.data(), memory, out}).ok());
    for (size_t r = 0; r < kRows * depth; ++r) {
      EXPECT_EQ(std::memcmp(&from[r * host_pitch], &to[r * host_pitch], width), 0) << width;
      EXPECT_EQ(to[r * host_pitch + width], 0xee) << "a gap was written";
    }
    ASSERT_TRUE(gpu_->free(memory).ok());
  }
}

TEST_F(RemoteDevice, FillsAndCopiesOnTheDevice) {
  Address a = allocate(64), b = allocate(64);
  ASSERT_TRUE(gpu_->submit(0, Fill{a, 0x01020304, 4, 64, 1, 64}).ok());
  ASSERT_TRUE(gpu_->submit(0, CopyOnDevice{b, a, row(64)}).ok());
  uint32_t last = 0;
  ASSERT_TRUE(get(&last, b + 60, 4).ok());
  EXPECT_EQ(last, 0x01020304u);
}

TEST_F(RemoteDevice, StreamsAndEvents) {
  StreamId stream = gpu_->create_stream(true, 0);
  EventId event = gpu_->create_event();
  EXPECT_FALSE(gpu_->event_recorded(event));
  ASSERT_TRUE(gpu_->submit(stream, RecordEvent{event}).ok());
  ASSERT_TRUE(gpu_->submit(0, WaitEvent{event}).ok());
  ASSERT_TRUE(gpu_->wait_event(event).ok());
  EXPECT_TRUE(gpu_->event_recorded(event));
  EXPECT_TRUE(gpu_->event_done(event));
  EXPECT_GT(gpu_->event_time(event), 0u);
  EXPECT_TRUE(gpu_->stream_done(stream));
  EXPECT_TRUE(gpu_->destroy_event(event).ok());
  EXPECT_FALSE(gpu_->submit(stream, RecordEvent{event}).ok());
  EXPECT_TRUE(gpu_->destroy_stream(stream).ok());
  EXPECT_FALSE(gpu_->wait(stream).ok());
}

TEST_F(RemoteDevice, HostFunctionsRunInTheClient) {
  Address memory = allocate(4);
  uint32_t seven = 7, back = 0;
  ASSERT_TRUE(gpu_->submit(0, HostFunction{[&] {
                             EXPECT_TRUE(gpu_->run_inside(CopyToDevice{memory, &seven, row(4)}).ok());
                             gpu_->fail_inside({Failure::InvalidValue, "as an example"});
                           }})
                  .ok());
  EXPECT_EQ(gpu_->wait_all().detail, "as an example");
  EXPECT_TRUE(gpu_->wait_all().ok()) << "reported once";
  ASSERT_TRUE(get(&back, memory, 4).ok());
  EXPECT_EQ(back, 7u);
}

TEST_F(RemoteDevice, FailuresOfKernelsAreSticky) {
  ASSERT_TRUE(gpu_->submit(0, launch("wild")).ok());
  Status status = gpu_->wait_all();
  EXPECT_EQ(status.failure, Failure::IllegalAddress);
  EXPECT_NE(status.detail.find("wild"), std::string::npos) << status.detail;
  EXPECT_EQ(gpu_->sticky_failure().failure, Failure::IllegalAddress);
  Address memory = 0;
  EXPECT_EQ(gpu_->allocate(4, MemoryKind::Device, &memory).failure, Failure::IllegalAddress);
}

TEST_F(RemoteDevice, MemoryOfTheHost) {
  Address pinned = 0, managed = 0;
  EXPECT_EQ(gpu_->allocate(64, MemoryKind::Managed, &managed).failure, Failure::NotSupported);
  ASSERT_TRUE(gpu_->allocate(64, MemoryKind::Pinned, &pinned).ok());
  auto* numbers = reinterpret_cast<uint32_t*>(pinned);
  numbers[3] = 5;
  EXPECT_EQ(gpu_->find_allocation(pinned + 8)->kind, MemoryKind::Pinned);
  Address memory = allocate(64);
  EXPECT_TRUE(put(memory, numbers, 64).ok());
  EXPECT_EQ(put(memory, reinterpret_cast<void*>(memory), 64).failure, Failure::InvalidValue) << "no host memory";
  EXPECT_TRUE(gpu_->free(pinned).ok());
}

TEST_F(RemoteDevice, ObjectsOfOthersStayUnchanged) {
  Address theirs = 0;
  ASSERT_TRUE(real_->allocate(64, MemoryKind::Device, &theirs).ok());
  ModuleId module = 0;
  KernelId kernel = 0;
  ASSERT_TRUE(real_->load_module(kModule, "theirs", &module).ok());
  ASSERT_TRUE(real_->find_kernel(module, "wild", &kernel).ok());
  StreamId stream = real_->create_stream(true, 0);
  EventId event = real_->create_event();
  EXPECT_FALSE(gpu_->free(theirs).ok());
  EXPECT_FALSE(gpu_->unload_module(module).ok());
  Launch launch;
  launch.kernel = kernel;
  EXPECT_FALSE(gpu_->submit(0, launch).ok());
  EXPECT_FALSE(gpu_->submit(stream, Fill{theirs, 0, 1, 4, 1, 4}).ok());
  EXPECT_FALSE(gpu_->destroy_event(event).ok());
  uint32_t four = 4;
  EXPECT_TRUE(put(theirs, &four, 4).ok()) << "memory of the device may be written";
  gpu_->reset();
  EXPECT_TRUE(real_->find_allocation(theirs).has_value());
}

TEST_F(RemoteDevice, ObjectsOfAClientAreFreedAtItsEnd) {
  Address memory = allocate(1 << 20);
  hang_up();
  EXPECT_EQ(why_, "");
  EXPECT_TRUE(real_->find_allocation(memory).has_value());
  server_.reset();
  EXPECT_FALSE(real_->find_allocation(memory).has_value());
}

TEST_F(RemoteDevice, Limits) {
  Address memory = 0;
  EXPECT_EQ(gpu_->allocate(65 << 20, MemoryKind::Device, &memory).failure, Failure::OutOfMemory);
  EXPECT_EQ(gpu_->allocate(SIZE_MAX, MemoryKind::Device, &memory).failure, Failure::OutOfMemory);
  for (size_t i = 0; i < limits_.handles; ++i) allocate(512);
  EXPECT_EQ(gpu_->allocate(512, MemoryKind::Device, &memory).failure, Failure::OutOfMemory);
  EXPECT_EQ(gpu_->set_heap_size(size_t{1} << 40).failure, Failure::OutOfMemory);
  ModuleId module = 0;
  EXPECT_FALSE(gpu_->load_module(std::string((1 << 20) + 1, ' '), "long", &module).ok());
}

TEST_F(RemoteDevice, TheServersOwnerDecides) {
  std::vector<size_t> copied;
  server_->may_load = [](std::string_view image) { return image == kModule; };
  server_->on_copy_in = [&](Address, const CopyShape& shape) { copied.push_back(shape.width * shape.height); };
  ModuleId module = 0;
  EXPECT_TRUE(gpu_->load_module(kModule, "own", &module).ok());
  EXPECT_EQ(gpu_->load_module("another", "own", &module).failure, Failure::InvalidImage);
  uint64_t number = 0;
  EXPECT_TRUE(put(allocate(8), &number, 8).ok());
  EXPECT_EQ(copied, std::vector<size_t>{8});
}

TEST_F(RemoteDevice, ALostDevice) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  close(ends[1]);
  auto unanswered = connect(ends[0]);
  ASSERT_FALSE(unanswered.ok());
  EXPECT_EQ(unanswered.error().code, "R0501");
}

// --- what an untrusted client sends

template <class... T>
std::string message(Call call, const T&... values) {
  Writer out;
  out(static_cast<uint32_t>(call), values...);
  return out.bytes;
}
Status status_of(const std::string& reply) {
  Reader in(reply);
  return in.next<Status>();
}

TEST_F(RemoteDevice, SumsThatOverflow) {
  Address memory = allocate(64);
  constexpr size_t kMost = SIZE_MAX;
  for (CopyShape shape :
       {CopyShape{kMost, 1, 1, 1, 1, 1, 1}, CopyShape{2, kMost, 1, 2, 2, 2, 2}, CopyShape{1, 2, 1, kMost, kMost, 1, 1},
        CopyShape{1, 1, 2, 1, 1, kMost - 63, kMost - 63}, CopyShape{size_t{1} << 32, size_t{1} << 32, 2, 1, 1, 1, 1},
        CopyShape{64, 1, 1, 64, 64, 64, 64}}) {
    bool honest = shape.width == 64;
    EXPECT_EQ(status_of(server_->answer(message(Call::CopyOut, StreamId{0}, memory, shape))).ok(), honest);
    EXPECT_EQ(status_of(server_->answer(message(Call::Copy, StreamId{0}, memory, memory, shape))).ok(), honest);
    EXPECT_FALSE(status_of(server_->answer(message(Call::CopyIn, StreamId{0}, memory, shape) + "12345678")).ok())
        << "fewer bytes than the shape has";
  }
  EXPECT_FALSE(
      status_of(server_->answer(message(Call::CopyOut, StreamId{0}, memory + 1, CopyShape{64, 1, 1, 64, 64, 64, 64})))
          .ok());
  EXPECT_FALSE(
      status_of(server_->answer(message(Call::CopyOut, StreamId{0}, Address{0}, CopyShape{64, 1, 1, 64, 64, 64, 64})))
          .ok());
  Fill fill{memory, 0, 3, 3, 1, 3};
  EXPECT_FALSE(status_of(server_->answer(message(Call::Fill, StreamId{0}, fill))).ok()) << "a pattern of three bytes";
  TextureDescriptor texture;
  texture.image.layers = 0;
  EXPECT_FALSE(status_of(server_->answer(message(Call::CreateTexture, texture))).ok());
}

TEST_F(RemoteDevice, MalformedMessages) {
  EXPECT_EQ(server_->answer(""), "");
  EXPECT_EQ(server_->answer("abc"), "");
  EXPECT_EQ(server_->answer(message(Call::Count)), "");
  EXPECT_FALSE(status_of(server_->answer(message(Call::Allocate, uint64_t{8}, uint8_t{9}))).ok())
      << "a kind of memory that does not exist";
  EXPECT_FALSE(status_of(server_->answer(message(Call::LoadModule, uint64_t{1} << 60) + "text")).ok())
      << "longer than its message";
  EXPECT_FALSE(status_of(server_->answer(message(Call::WaitAll) + "more")).ok());
}

// Each call with each prefix of its message, and with bytes changed.
TEST_F(RemoteDevice, CutAndChangedMessages) {
  Address memory = allocate(4096);
  Launch doubling = launch("twice", {memory, 4});
  std::vector<std::string> all;
  for (uint32_t call = 0; call < static_cast<uint32_t>(Call::Count); ++call)
    all.push_back(message(Call(call), memory, uint64_t{8}, uint64_t{1}));
  all.push_back(message(Call::Launch, StreamId{0}, doubling));
  all.push_back(message(Call::CopyIn, StreamId{0}, memory, row(8)) + "12345678");
  all.push_back(message(Call::Copy, StreamId{0}, memory, memory + 64, row(8)));
  all.push_back(message(Call::CreateTexture, TextureDescriptor{}));
  for (const std::string& whole : all)
    for (size_t n = 0; n < whole.size(); ++n) (void)server_->answer(std::string_view(whole).substr(0, n));
  std::minstd_rand random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string changed = all[random() % all.size()];
    for (unsigned n = random() % 4; n--;) changed[random() % changed.size()] = static_cast<char>(random() >> 8);
    (void)server_->answer(changed);
  }
  // The device still works.
  server_->release();
  (void)real_->wait_all();
  EXPECT_TRUE(real_->properties().sm_count > 0);
}

TEST_F(RemoteDevice, AMessageWithoutEnd) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const uint64_t header[] = {kMessageMark, uint64_t{1} << 62};
  ASSERT_EQ(write(ends[0], header, sizeof header), ssize_t{sizeof header});
  Server server(*real_);
  EXPECT_EQ(server.serve(ends[1]), "a message to the device is longer than any");
  close(ends[0]), close(ends[1]);
}

// A launch like an accepted one waits for no reply; what it does is there when the host looks, in order.
TEST_F(RemoteDevice, LaunchesAreBroughtWithTheNextRequest) {
  constexpr int kTimes = 300;  // more than are kept back at once
  Address memory = allocate(16);
  Launch doubling = launch("twice", {memory, 4});
  doubling.grid = {1, 1, 1}, doubling.block = {4, 1, 1};
  const uint32_t one[4] = {1, 0, 3, 0};
  for (int i = 0; i < kTimes; ++i) {
    if (i % 31 == 0) ASSERT_TRUE(put(memory, one, sizeof one).ok());
    ASSERT_TRUE(gpu_->submit(0, doubling).ok());
  }
  uint32_t now[4] = {};
  ASSERT_TRUE(get(now, memory, sizeof now).ok());
  EXPECT_EQ(now[0], 1u << ((kTimes - 1) % 31 + 1));
  EXPECT_EQ(now[2], 3u << ((kTimes - 1) % 31 + 1));
}

TEST_F(RemoteDevice, AFailureOfAPostedLaunchIsTheNextReply) {
  Address memory = allocate(16);
  Launch doubling = launch("twice", {memory, 4});
  doubling.grid = {1, 1, 1}, doubling.block = {4, 1, 1};
  ASSERT_TRUE(gpu_->submit(0, doubling).ok());
  // Memory that is not there: the kernel is accepted, and fails.
  Launch wild = doubling;
  const uint64_t nowhere = 64;
  std::memcpy(wild.parameters.data(), &nowhere, sizeof nowhere);
  EXPECT_TRUE(gpu_->submit(0, wild).ok());
  EXPECT_EQ(gpu_->wait(0).failure, Failure::IllegalAddress);
  EXPECT_EQ(gpu_->submit(0, Fill{memory, 0, 1, 16, 1, 16}).failure, Failure::IllegalAddress);
}

// Likewise a fill like an accepted one, until memory is freed.
TEST_F(RemoteDevice, FillsAreBroughtInTheirOrder) {
  Address memory = allocate(16), counter = allocate(4);
  Launch doubling = launch("twice", {memory, 4});
  doubling.grid = {1, 1, 1}, doubling.block = {4, 1, 1};
  uint32_t now[4] = {};
  for (uint32_t value : {1u, 5u, 1u, 5u, 1u}) {
    ASSERT_TRUE(gpu_->submit(0, Fill{memory, value, 4, 16, 1, 16}).ok());
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(gpu_->submit(0, doubling).ok());
    ASSERT_TRUE(gpu_->submit(0, Fill{memory, 9, 4, 4, 1, 4}).ok());
    ASSERT_TRUE(get(now, memory, sizeof now).ok());
    ASSERT_TRUE(gpu_->wait(0).ok());
    EXPECT_EQ(now[0], 9u);
    EXPECT_EQ(now[3], 4 * value);
  }
  const Fill zeros{counter, 0, 1, 4, 1, 4};
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(gpu_->submit(0, zeros).ok());
  ASSERT_TRUE(gpu_->free(counter).ok());
  EXPECT_FALSE(gpu_->submit(0, zeros).ok());
}

// Replies say whether the device has failed; who asks again and again without any gets one.
TEST_F(RemoteDevice, AHostThatOnlyAsksLearnsOfAFailure) {
  Address memory = allocate(16);
  Launch wild = launch("twice", {memory, 4});
  wild.grid = {1, 1, 1}, wild.block = {4, 1, 1};
  ASSERT_TRUE(gpu_->submit(0, wild).ok());
  const uint64_t nowhere = 64;
  std::memcpy(wild.parameters.data(), &nowhere, sizeof nowhere);
  ASSERT_TRUE(gpu_->submit(0, wild).ok());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (gpu_->sticky_failure().ok() && std::chrono::steady_clock::now() < end) {
  }
  EXPECT_EQ(gpu_->sticky_failure().failure, Failure::IllegalAddress);
  EXPECT_EQ(real_->sticky_failure().failure, Failure::IllegalAddress);
}

// What was the host's own memory becomes the device's.
TEST_F(RemoteDevice, AnAddressIsLookedUpAgainWhenThereIsNewMemory) {
  const Address expected = allocate(512);
  ASSERT_TRUE(gpu_->free(expected).ok());
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(gpu_->find_allocation(expected).has_value());
  ModuleId module = 0;
  ASSERT_TRUE(gpu_->load_module(kModule, "test.ptx", &module).ok());
  SymbolInfo symbol;
  ASSERT_TRUE(gpu_->find_symbol(module, "counter", &symbol).ok());
  EXPECT_TRUE(gpu_->find_allocation(symbol.address).has_value());
  std::vector<Address> all;
  for (int i = 0; i < 8; ++i) all.push_back(allocate(512));
  for (Address address : all) EXPECT_EQ(gpu_->find_allocation(address + 8)->base, address);
}

// What an accepted launch says of the next one ends with what it depends on.
TEST_F(RemoteDevice, AnUnloadedModuleIsNotLaunched) {
  Address memory = allocate(16);
  ModuleId module = 0;
  ASSERT_TRUE(gpu_->load_module(kModule, "again.ptx", &module).ok());
  Launch doubling = launch("twice", {memory, 4});
  ASSERT_TRUE(gpu_->find_kernel(module, "twice", &doubling.kernel).ok());
  doubling.grid = {1, 1, 1}, doubling.block = {4, 1, 1};
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(gpu_->submit(0, doubling).ok());
  ASSERT_TRUE(gpu_->unload_module(module).ok());
  EXPECT_FALSE(gpu_->submit(0, doubling).ok());
}

// The client then waits for an answer. The server must not wait for the rest of what stray bytes make a length of.
TEST_F(RemoteDevice, StrayBytesAreNoMessage) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  ASSERT_EQ(write(ends[0], "\0\0", 2), 2);
  ASSERT_TRUE(send_message(ends[0], message(Call::Hello, kVersion)));
  Server server(*real_);
  EXPECT_EQ(server.serve(ends[1]), "a message to the device begins as none does");
  close(ends[0]), close(ends[1]);
}

}  // namespace
}  // namespace warpwise::device::remote
