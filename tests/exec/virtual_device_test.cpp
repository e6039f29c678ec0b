// The virtual GPU as a device::Device: memory, modules, streams, launches and their failures.
#include "exec/virtual_device.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <thread>

#include "fake_compiler.h"

namespace warpwise::exec {
namespace {

using device::Address;
using device::Failure;
using device::MemoryKind;
using device::Status;

// The bodies do not matter: the fake compiler goes by names.
constexpr const char* kModule = R"(
.version 8.5
.target sm_90
.address_size 64
.global .align 4 .u32 counter = 41;
.const .align 4 .b32 table[3] = {7, 8, 9};
.global .align 8 .u64 pointers[2] = {counter, generic(table)};
.visible .entry scale_kernel(.param .u64 out, .param .u64 in, .param .u32 n, .param .f32 a) { ret; }
.visible .entry wild_kernel(.param .u64 address) { ret; }
.visible .entry endless_kernel() { ret; }
.visible .entry empty_kernel() .maxntid 256, 1, 1 { .shared .align 4 .b8 buffer[1000]; .reg .u32 %r; mov.u32 %r, buffer; ret; }
.visible .entry unsupported_kernel() { ret; }
.visible .entry print_kernel(.param .u64 format) { ret; }
)";

class Device : public testing::Test {
 protected:
  Device() { open({}); }

  void open(Options options) {
    DeviceSetup setup;
    setup.options = std::move(options);
    setup.options.tiers = TierChoice::Compiled;  // the bodies above are not what is to run
    setup.compiler = source_of(compiler_);
    setup.print = [this](std::string_view text) { printed_ += text; };
    auto device = VirtualDevice::create(std::move(setup));
    ASSERT_TRUE(device.ok()) << device.error().message;
    device_ = std::move(device).value();
    ASSERT_TRUE(device_->load_module(kModule, "test.ptx", &module_).ok());
  }

  Address allocate(size_t size, MemoryKind kind = MemoryKind::Device) {
    Address address = 0;
    EXPECT_TRUE(device_->allocate(size, kind, &address).ok());
    return address;
  }
  device::KernelId kernel(const char* name) {
    device::KernelId id = 0;
    Status status = device_->find_kernel(module_, name, &id);
    EXPECT_TRUE(status.ok()) << status.detail;
    return id;
  }
  template <class... T>
  device::Launch launch(const char* name, device::Dim3 grid, device::Dim3 block, T... parameters) {
    device::Launch result{kernel(name), grid, block};
    [[maybe_unused]] auto pack = [&](auto value) {
      auto& bytes = result.parameters;
      size_t at = (bytes.size() + sizeof value - 1) / sizeof value * sizeof value;
      bytes.resize(at + sizeof value);
      std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    (pack(parameters), ...);
    return result;
  }
  static device::CopyShape plain(size_t bytes) {
    device::CopyShape shape;
    shape.width = bytes;
    return shape;
  }
  Failure submit(device::Command command, device::StreamId stream = 0) {
    Status status = device_->submit(stream, std::move(command));
    detail_ = status.detail;
    return status.failure;
  }

  FakeCompiler compiler_;
  std::string printed_, detail_;
  std::unique_ptr<VirtualDevice> device_;
  device::ModuleId module_ = 0;
};

TEST_F(Device, copies_launches_and_copies_back) {
  constexpr uint32_t n = 10'000;
  std::vector<float> data(n), result(n);
  std::iota(data.begin(), data.end(), 0.f);
  Address in = allocate(n * 4), out = allocate(n * 4);
  EXPECT_EQ(submit(device::CopyToDevice{in, data.data(), plain(n * 4)}), Failure::None) << detail_;
  EXPECT_EQ(submit(launch("scale_kernel", {40}, {256}, out, in, n, 3.f)), Failure::None) << detail_;
  EXPECT_EQ(submit(device::CopyFromDevice{result.data(), out, plain(n * 4)}), Failure::None) << detail_;
  EXPECT_EQ(result[9], 0.f);  // no call has waited yet
  EXPECT_TRUE(device_->wait_all().ok());
  for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(result[i], 3.f * static_cast<float>(i));
}

TEST_F(Device, knows_allocations_and_refuses_what_is_outside) {
  Address a = allocate(1000);
  EXPECT_EQ(device_->find_allocation(a + 999)->size, 1000u);
  char host[2000] = {};
  EXPECT_EQ(submit(device::CopyToDevice{a, host, plain(1001)}), Failure::InvalidAddress);
  EXPECT_NE(detail_.find("1 bytes past the end of the 1000-byte allocation"), std::string::npos) << detail_;
  EXPECT_EQ(submit(device::CopyToDevice{reinterpret_cast<Address>(host), host, plain(1)}), Failure::InvalidAddress);
  EXPECT_EQ(submit(device::CopyToDevice{a, reinterpret_cast<void*>(a), plain(1)}), Failure::InvalidValue);
  EXPECT_EQ(device_->free(a + 512).failure, Failure::InvalidValue);
  EXPECT_TRUE(device_->free(a).ok());
  EXPECT_EQ(device_->free(a).failure, Failure::InvalidValue);
  EXPECT_EQ(submit(device::CopyToDevice{a, host, plain(1)}), Failure::InvalidAddress);
  EXPECT_NE(detail_.find("was freed"), std::string::npos) << detail_;
  Address none;
  EXPECT_EQ(device_->allocate(0, MemoryKind::Device, &none).failure, Failure::InvalidValue);
  EXPECT_EQ(device_->allocate(size_t{1} << 50, MemoryKind::Device, &none).failure, Failure::OutOfMemory);
}

TEST_F(Device, places_and_initialises_variables) {
  device::SymbolInfo counter, table, pointers;
  ASSERT_TRUE(device_->find_symbol(module_, "counter", &counter).ok());
  ASSERT_TRUE(device_->find_symbol(module_, "table", &table).ok());
  ASSERT_TRUE(device_->find_symbol(module_, "pointers", &pointers).ok());
  EXPECT_EQ(table.size, 12u);
  uint32_t value = 0, elements[3];
  uint64_t addresses[2];
  submit(device::CopyFromDevice{&value, counter.address, plain(4)});
  submit(device::CopyFromDevice{elements, table.address, plain(12)});
  submit(device::CopyFromDevice{addresses, pointers.address, plain(16)});
  EXPECT_TRUE(device_->wait_all().ok());
  EXPECT_EQ(value, 41u);
  EXPECT_EQ(elements[2], 9u);
  EXPECT_EQ(addresses[0], counter.address);
  EXPECT_EQ(addresses[1], table.address);
  EXPECT_EQ(device_->find_symbol(module_, "nothing", &counter).failure, Failure::NotFound);
}

TEST_F(Device, checks_launches_as_cuda_does) {
  auto empty = [&](device::Dim3 grid, device::Dim3 block) { return launch("empty_kernel", grid, block); };
  EXPECT_EQ(submit(empty({0}, {1})), Failure::InvalidConfiguration);
  EXPECT_EQ(submit(empty({1}, {0})), Failure::InvalidConfiguration);
  EXPECT_EQ(submit(empty({1, 65536}, {1})), Failure::InvalidConfiguration);
  EXPECT_EQ(submit(empty({1}, {1, 1, 65})), Failure::InvalidConfiguration);
  EXPECT_EQ(submit(empty({1}, {64, 32})), Failure::InvalidConfiguration);
  EXPECT_EQ(submit(empty({1}, {512})), Failure::TooManyResources);  // .maxntid 256
  auto shared = empty({1}, {32});
  shared.dynamic_shared_bytes = 48 * 1024;  // and 1000 static ones
  EXPECT_EQ(submit(shared), Failure::InvalidValue);
  EXPECT_TRUE(device_->allow_dynamic_shared(shared.kernel, 100'000).ok());
  EXPECT_EQ(submit(shared), Failure::None) << detail_;
  EXPECT_EQ(device_->allow_dynamic_shared(shared.kernel, 227 * 1024).failure, Failure::InvalidValue);
  auto cooperative = empty({132 * 8}, {256});
  cooperative.cooperative = true;
  EXPECT_EQ(submit(cooperative), Failure::None) << detail_;
  cooperative.grid.x += 1;
  EXPECT_EQ(submit(cooperative), Failure::CooperativeTooLarge);
  EXPECT_EQ(submit(launch("wild_kernel", {1}, {1})), Failure::InvalidValue);  // without its parameter
  EXPECT_EQ(submit(launch("unsupported_kernel", {1}, {1})), Failure::NotSupported);
  EXPECT_TRUE(device_->wait_all().ok());
}

TEST_F(Device, describes_kernels) {
  const device::KernelInfo& scale = device_->kernel_info(kernel("scale_kernel"));
  ASSERT_EQ(scale.parameters.size(), 4u);
  EXPECT_EQ(scale.parameters[3].offset, 20u);
  EXPECT_EQ(scale.parameter_bytes, 24u);
  EXPECT_EQ(scale.max_threads_per_block, 1024u);
  EXPECT_EQ(scale.sm, 90u);
  EXPECT_GE(scale.registers, 16u);
  const device::KernelInfo& empty = device_->kernel_info(kernel("empty_kernel"));
  EXPECT_EQ(empty.static_shared_bytes, 1000u);
  EXPECT_EQ(empty.max_threads_per_block, 256u);
}

TEST_F(Device, reports_broken_modules_and_foreign_targets) {
  device::ModuleId broken, foreign;
  device::KernelId id;
  ASSERT_TRUE(
      device_->load_module(".version 8.5\n.target sm_90\n.address_size 64\n.entry k( {", "broken.ptx", &broken).ok());
  Status status = device_->find_kernel(broken, "k", &id);
  EXPECT_EQ(status.failure, Failure::InvalidPtx);
  EXPECT_NE(status.detail.find("broken.ptx:4"), std::string::npos) << status.detail;
  ASSERT_TRUE(
      device_->load_module(".version 8.7\n.target sm_100\n.address_size 64\n.entry k() { ret; }", "newer.ptx", &foreign)
          .ok());
  EXPECT_EQ(device_->find_kernel(foreign, "k", &id).failure, Failure::InvalidImage);
  EXPECT_EQ(device_->find_kernel(module_, "nothing", &id).failure, Failure::NotFound);
}

TEST_F(Device, keeps_a_failure_until_it_is_reset) {
  EXPECT_EQ(submit(launch("wild_kernel", {2}, {1}, uint64_t{0x999})), Failure::None);
  EXPECT_TRUE(device_->sticky_failure().ok());  // it has not run yet
  Status status = device_->wait(0);
  EXPECT_EQ(status.failure, Failure::IllegalAddress);
  EXPECT_EQ(device_->sticky_failure().failure, Failure::IllegalAddress);
  Address address;
  EXPECT_EQ(device_->allocate(16, MemoryKind::Device, &address).failure, Failure::IllegalAddress);
  EXPECT_EQ(submit(launch("empty_kernel", {1}, {1})), Failure::IllegalAddress);
  EXPECT_EQ(device_->wait_all().failure, Failure::IllegalAddress);
  device_->reset();
  EXPECT_TRUE(device_->sticky_failure().ok());
  ASSERT_TRUE(device_->load_module(kModule, "test.ptx", &module_).ok());
  EXPECT_EQ(submit(launch("empty_kernel", {1}, {1})), Failure::None);
  EXPECT_TRUE(device_->wait_all().ok());
}

TEST_F(Device, runs_streams_and_events_in_order) {
  device::StreamId a = device_->create_stream(true, 0), b = device_->create_stream(false, 0);
  device::EventId start = device_->create_event(), end = device_->create_event();
  std::string order;
  auto note = [&](char c) { return device::HostFunction{[&order, c] { order += c; }}; };
  EXPECT_TRUE(device_->event_done(start));  // never recorded
  EXPECT_FALSE(device_->event_recorded(start));
  submit(note('1'), a);
  submit(device::RecordEvent{start}, a);
  submit(device::WaitEvent{start}, b);
  submit(note('2'), b);
  submit(device::RecordEvent{end}, b);
  submit(note('3'), a);
  EXPECT_TRUE(device_->wait_event(end).ok());  // which says nothing of '3': a thread in the background may have run it
  EXPECT_TRUE(device_->event_done(end));
  EXPECT_GE(device_->event_time(end), device_->event_time(start));
  while (!device_->stream_done(a)) {
  }
  EXPECT_EQ(order, "123");
  EXPECT_TRUE(device_->destroy_stream(a).ok());
  EXPECT_EQ(device_->destroy_stream(a).failure, Failure::InvalidValue);
  EXPECT_EQ(submit(note('4'), a), Failure::InvalidValue);
}

TEST_F(Device, streams_that_wait_for_a_value_stand_still) {
  using Test = device::WaitValue::Test;
  device::StreamId a = device_->create_stream(false, 0), b = device_->create_stream(false, 0),
                   blocking = device_->create_stream(true, 0);
  device::EventId event = device_->create_event();
  const Address word = allocate(8);
  submit(device::Fill{word, 0, 4, 8, 1, 8});
  ASSERT_TRUE(device_->wait_all().ok());
  std::string order;
  auto note = [&](char c) { return device::HostFunction{[&order, c] { order += c; }}; };

  submit(device::WaitValue{word, 1, 4, Test::AtLeast}, a);
  submit(note('a'), a);
  submit(device::RecordEvent{event}, a);
  submit(device::WaitEvent{event}, blocking);
  submit(note('k'), blocking);
  submit(note('0'));     // the default stream is behind the blocking one,
  submit(note('b'), b);  // and `b` is behind no other
  EXPECT_TRUE(device_->wait(b).ok());
  EXPECT_EQ(order, "b");
  EXPECT_FALSE(device_->event_done(event));
  EXPECT_FALSE(device_->stream_done(a));
  submit(device::WriteValue{word, 1, 4}, b);
  EXPECT_TRUE(device_->wait_all().ok());
  EXPECT_EQ(order, "bak0");
  EXPECT_TRUE(device_->event_done(event));

  // More than the queue holds, and behind a stream that stands still.
  order.clear();
  submit(device::WaitValue{word, 2, 4, Test::Equal}, a);
  for (int i = 0; i < 3000; ++i) submit(note('a'), a);
  for (int i = 0; i < 3000; ++i) submit(note('b'), b);
  EXPECT_TRUE(device_->wait(b).ok());
  EXPECT_EQ(order, std::string(3000, 'b'));
  const uint32_t two = 2;
  submit(device::CopyToDevice{word, &two, plain(4)}, b);
  EXPECT_TRUE(device_->wait(a).ok());
  EXPECT_EQ(order, std::string(3000, 'b') + std::string(3000, 'a'));

  // What is freed in the stream's order is there until the stream gets to it.
  const Address freed = allocate(64);
  submit(device::WaitValue{word, 3, 8, Test::AtLeast}, a);
  submit(device::Fill{freed, 9, 4, 64, 1, 64}, a);
  EXPECT_TRUE(device_->free_in_order(a, freed).ok());
  EXPECT_TRUE(device_->find_allocation(freed));
  submit(device::WriteValue{word, uint64_t{1} << 40, 8}, b);
  EXPECT_TRUE(device_->wait(a).ok());
  EXPECT_FALSE(device_->find_allocation(freed));

  EXPECT_EQ(submit(device::WaitValue{word + 2, 1, 4}, a), Failure::InvalidValue);
  EXPECT_EQ(submit(device::WaitValue{word + 4, 1, 8}, a), Failure::InvalidValue);
  EXPECT_EQ(submit(device::WriteValue{word + 8, 1, 4}, a), Failure::InvalidAddress);
}

TEST_F(Device, a_value_that_is_never_written) {
  open({.timeout_seconds = 0.05});
  device::StreamId a = device_->create_stream(true, 0);
  const Address word = allocate(4);
  submit(device::Fill{word, 5, 4, 4, 1, 4});
  submit(device::WaitValue{word, 6, 4, device::WaitValue::Test::Equal}, a);
  submit(device::Fill{word, 7, 4, 4, 1, 4}, a);
  const Status status = device_->wait(a);
  EXPECT_EQ(status.failure, Failure::LaunchTimeout);
  EXPECT_NE(status.detail.find("stream 1 has waited"), std::string::npos) << status.detail;
  EXPECT_NE(status.detail.find("to be 0x6 (they are 0x5"), std::string::npos) << status.detail;
  EXPECT_NE(status.detail.find("1 command behind it"), std::string::npos) << status.detail;
  EXPECT_EQ(device_->wait_all().failure, Failure::LaunchTimeout);

  // The program's end does not wait.
  device_->reset();
  a = device_->create_stream(true, 0);
  const Address other = allocate(4);
  submit(device::Fill{other, 5, 4, 4, 1, 4});
  submit(device::WaitValue{other, 6, 4, device::WaitValue::Test::Equal}, a);
  device_->end_work();
  EXPECT_TRUE(device_->wait_all().ok());
}

TEST_F(Device, takes_work_from_several_threads) {
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      device::StreamId stream = device_->create_stream(false, 0);
      for (int i = 0; i < 1000; ++i) {
        EXPECT_TRUE(device_->submit(stream, device::HostFunction{[&] { ++ran; }}).ok());
        if (i % 100 == 99) {
          EXPECT_TRUE(device_->wait(stream).ok());
        }
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(ran, 4000);
}

TEST_F(Device, copies_rectangles_and_overlapping_boxes) {
  // 6 rows of 10 bytes at a pitch of 16, into a tight host array.
  Address a = allocate(4096);
  std::vector<uint8_t> host(96), tight(60);
  std::iota(host.begin(), host.end(), 0);
  submit(device::CopyToDevice{a, host.data(), plain(96)});
  device::CopyShape shape{10, 6, 1, 10, 16};
  submit(device::CopyFromDevice{tight.data(), a + 3, shape});
  // One row down and two to the right, onto itself.
  submit(device::CopyOnDevice{a + 18, a, device::CopyShape{10, 5, 1, 16, 16}});
  std::vector<uint8_t> moved(96);
  submit(device::CopyFromDevice{moved.data(), a, plain(96)});
  ASSERT_TRUE(device_->wait_all().ok());
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 10; ++x) EXPECT_EQ(tight[y * 10 + x], y * 16 + x + 3);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 10; ++x) EXPECT_EQ(moved[(y + 1) * 16 + x + 2], y * 16 + x);
  EXPECT_EQ(submit(device::CopyFromDevice{tight.data(), a, device::CopyShape{10, 6, 1, 10, 8}}), Failure::InvalidValue);
  EXPECT_EQ(submit(device::CopyFromDevice{tight.data(), a, device::CopyShape{10, ~size_t{0}, 2, 10, 16, 0, 1}}),
            Failure::InvalidValue);
}

TEST_F(Device, fills) {
  Address a = allocate(1024);
  submit(device::Fill{a, 0x11, 1, 1024});
  submit(device::Fill{a + 4, 0xabcd1234, 4, 8, 3, 32});
  submit(device::Fill{a + 512, 0xbeef, 2, 4});
  std::vector<uint32_t> host(256);
  submit(device::CopyFromDevice{host.data(), a, plain(1024)});
  ASSERT_TRUE(device_->wait_all().ok());
  EXPECT_EQ(host[0], 0x11111111u);
  for (int row = 0; row < 3; ++row) {
    EXPECT_EQ(host[row * 8 + 1], 0xabcd1234u);
    EXPECT_EQ(host[row * 8 + 2], 0xabcd1234u);
    EXPECT_EQ(host[row * 8 + 3], 0x11111111u);
  }
  EXPECT_EQ(host[128], 0xbeefbeefu);
  EXPECT_EQ(submit(device::Fill{a, 0, 4, 6}), Failure::InvalidValue);
  EXPECT_EQ(submit(device::Fill{a + 1000, 0, 1, 25}), Failure::InvalidAddress);
}

TEST_F(Device, shares_managed_and_pinned_memory) {
  for (MemoryKind kind : {MemoryKind::Managed, MemoryKind::Pinned}) {
    constexpr uint32_t n = 100;
    Address in = allocate(n * 4, kind), out = allocate(n * 4, kind);
    float* host = reinterpret_cast<float*>(in);
    for (uint32_t i = 0; i < n; ++i) host[i] = static_cast<float>(i);
    submit(launch("scale_kernel", {1}, {128}, out, in, n, 2.f));
    ASSERT_TRUE(device_->wait_all().ok());
    EXPECT_EQ(reinterpret_cast<float*>(out)[99], 198.f);
    EXPECT_TRUE(device_->free(in).ok());
  }
}

TEST_F(Device, prints_when_the_host_waits) {
  Address format = allocate(32);
  submit(device::CopyToDevice{format, "%d %d %g\n", plain(10)});
  submit(launch("print_kernel", {2}, {1}, format));
  EXPECT_EQ(printed_, "");
  EXPECT_TRUE(device_->wait_all().ok());
  EXPECT_EQ(printed_, "0 7 0.5\n1 7 0.5\n");
}

TEST_F(Device, forgets_unloaded_modules) {
  auto command = launch("empty_kernel", {1}, {32});
  EXPECT_EQ(submit(command), Failure::None);
  EXPECT_TRUE(device_->wait_all().ok());
  size_t before, after, total;
  device_->memory_info(&before, &total);
  EXPECT_TRUE(device_->unload_module(module_).ok());
  device_->memory_info(&after, &total);
  EXPECT_GE(after, before + 512);  // its variables
  EXPECT_EQ(submit(command), Failure::InvalidValue);
  EXPECT_EQ(device_->unload_module(module_).failure, Failure::InvalidValue);
}

TEST(DeviceSetup, refuses_unknown_devices) {
  DeviceSetup setup;
  setup.options.device = "voodoo2";
  auto device = VirtualDevice::create(std::move(setup));
  ASSERT_FALSE(device.ok());
  EXPECT_NE(device.error().message.find("h100"), std::string::npos);
}

}  // namespace
}  // namespace warpwise::exec
