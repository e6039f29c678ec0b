// Memory, copies, modules, launches, streams, events and values of a GpuDevice.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "device/virtual_memory.h"
#include "gpu_fixture.h"

namespace warpwise::device::gpu::testing {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes numbered(size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
  return bytes;
}

TEST_F(OnFakeDriver, MemoryIsFoundByAnyOfItsAddresses) {
  const Address device = allocate(100), managed = allocate(50, MemoryKind::Managed);
  const Address pinned = allocate(10, MemoryKind::Pinned);
  EXPECT_EQ(gpu().find_allocation(device + 99)->base, device);
  EXPECT_FALSE(gpu().find_allocation(device + 100));
  EXPECT_EQ(gpu().find_allocation(managed)->kind, MemoryKind::Managed);
  EXPECT_EQ(gpu().find_allocation(pinned)->kind, MemoryKind::Pinned);
  EXPECT_EQ(gpu().free(device + 1).failure, Failure::InvalidAddress);
  for (Address base : {device, managed, pinned}) EXPECT_OK(gpu().free(base));
  EXPECT_EQ(gpu().free(device).failure, Failure::InvalidAddress);
  EXPECT_EQ(fake_->live["memory"] + fake_->live["pinned memory"], 0);
  Address none = 0;
  EXPECT_EQ(gpu().allocate(0, MemoryKind::Device, &none).failure, Failure::InvalidValue);
}

TEST_F(OnFakeDriver, OutOfMemoryIsNotSticky) {
  gpu();
  fake_->fail_at = 0, fake_->failure = 2;
  Address address = 0;
  EXPECT_EQ(gpu().allocate(1, MemoryKind::Managed, &address).failure, Failure::OutOfMemory);
  EXPECT_OK(gpu().sticky_failure());
  allocate(1);
}

TEST_F(OnFakeDriver, MemoryFreedInOrderIsUsedAgainAndNothingWaits) {
  const StreamId stream = gpu().create_stream(true, 0);
  const Address first = allocate(1000), second = allocate(2000);
  fake_->restart();
  EXPECT_OK(gpu().free_in_order(stream, first));
  EXPECT_OK(gpu().free_in_order(std::nullopt, second));
  EXPECT_EQ(count("cuMemFree_v2") + count("cuCtxSynchronize") + count("cuStreamSynchronize"), 0u);
  EXPECT_FALSE(gpu().find_allocation(first));
  EXPECT_EQ(gpu().free_in_order(stream, first).failure, Failure::InvalidAddress);
  fake_->not_ready = 1;  // the stream has not come to the free
  const Address third = allocate(1000);
  EXPECT_NE(third, first);
  EXPECT_EQ(allocate(1000), first);
  EXPECT_EQ(allocate(2000), second);
  EXPECT_OK(gpu().free_in_order(stream, third));
  EXPECT_OK(gpu().wait_all());  // the GPU is idle: the driver gets it back
  EXPECT_EQ(count("cuMemFree_v2"), 1u);
}

TEST_F(OnFakeDriver, FreedMemoryGoesBackWhereThereIsNoMore) {
  const Address first = allocate(1000);
  EXPECT_OK(gpu().free_in_order(0, first));
  fake_->restart();
  fake_->fail_at = 0, fake_->failure = 2;
  allocate(3000);
  EXPECT_EQ(count("cuMemFree_v2"), 1u);
}

TEST_F(OnFakeDriver, CopiesRows) {
  const Bytes from = numbered(64);
  Bytes back(64);
  const Address a = allocate(64), b = allocate(64);
  EXPECT_OK(gpu().submit(0, CopyToDevice{a, from.data(), row(64)}));
  EXPECT_OK(gpu().submit(0, CopyOnDevice{b, a, row(64)}));
  EXPECT_OK(gpu().submit(0, CopyFromDevice{back.data(), b, row(64)}));
  EXPECT_OK(gpu().wait(0));
  EXPECT_EQ(back, from);
  EXPECT_EQ(count("cuMemcpy2DAsync_v2"), 0u);
}

// Two slices of three rows of four bytes, with gaps of every kind.
TEST_F(OnFakeDriver, CopiesBoxes) {
  const Bytes from = numbered(80);
  Bytes back(64, 0xff), expected(64, 0xff);
  const CopyShape shape{
      .width = 4, .height = 3, .depth = 2, .dst_pitch = 8, .src_pitch = 10, .dst_slice = 26, .src_slice = 37};
  const CopyShape out{
      .width = 4, .height = 3, .depth = 2, .dst_pitch = 6, .src_pitch = 8, .dst_slice = 25, .src_slice = 26};
  const Address a = allocate(80);
  EXPECT_OK(gpu().submit(0, CopyToDevice{a, from.data(), shape}));
  EXPECT_OK(gpu().submit(0, CopyFromDevice{back.data(), a, out}));
  for (size_t z = 0; z < 2; ++z)
    for (size_t y = 0; y < 3; ++y)
      for (size_t x = 0; x < 4; ++x) expected[z * 25 + y * 6 + x] = from[z * 37 + y * 10 + x];
  EXPECT_EQ(back, expected);
  EXPECT_EQ(count("cuMemcpy2DAsync_v2"), 4u);  // one for each slice
}

TEST_F(OnFakeDriver, RowsWithoutGapsAreOneCopy) {
  const Bytes from = numbered(24);
  const Address a = allocate(24);
  EXPECT_OK(gpu().submit(0, CopyToDevice{a, from.data(), {4, 3, 2, 4, 4, 12, 12}}));
  EXPECT_EQ(count("cuMemcpyHtoDAsync_v2"), 1u);
  EXPECT_EQ(std::memcmp(reinterpret_cast<void*>(a), from.data(), 24), 0);
}

TEST_F(OnFakeDriver, EmptyCopiesAndFillsCallNothing) {
  gpu();
  EXPECT_OK(gpu().submit(0, CopyToDevice{1, nullptr, {.width = 0}}));
  EXPECT_OK(gpu().submit(0, CopyOnHost{nullptr, nullptr, {.width = 4, .height = 0}}));
  EXPECT_OK(gpu().submit(0, Fill{.dst = 1, .value = 0, .width = 0, .height = 1, .pitch = 1}));
  EXPECT_TRUE(fake_->calls.empty());
}

TEST_F(OnFakeDriver, HostMemoryIsCopiedInTheStreamsOrder) {
  const Bytes from = numbered(8);
  Bytes to(8);
  EXPECT_OK(gpu().submit(0, CopyOnHost{to.data(), from.data(), row(8)}));
  EXPECT_EQ(to, from);
  EXPECT_EQ(count("cuLaunchHostFunc"), 1u);
}

TEST_F(OnFakeDriver, FillsWithPatterns) {
  const Address a = allocate(64);
  auto* bytes = reinterpret_cast<unsigned char*>(a);
  EXPECT_OK(gpu().submit(0, Fill{a, 0xaa, 1, 64, 1, 64}));
  EXPECT_EQ(bytes[63], 0xaa);
  EXPECT_OK(gpu().submit(0, Fill{a, 0x1234, 2, 4, 1, 64}));
  EXPECT_EQ(bytes[2], 0x34);
  EXPECT_EQ(bytes[4], 0xaa);
  EXPECT_OK(gpu().submit(0, Fill{a, 0x01020304, 4, 8, 2, 16}));  // two rows of two words
  EXPECT_EQ(bytes[16 + 4], 0x04);
  EXPECT_EQ(bytes[8], 0xaa);
  EXPECT_EQ(gpu().submit(0, Fill{a, 0, 3, 6, 1, 6}).failure, Failure::InvalidValue);
}

// --- modules --------------------------------------------------------------------------------------------------

TEST_F(OnFakeDriver, KernelsHaveTheDriversFigures) {
  const Launch launch = launch_of("first");
  const KernelInfo& info = gpu().kernel_info(launch.kernel);
  EXPECT_EQ(info.name, "first");
  EXPECT_EQ(info.registers, 40u);
  EXPECT_EQ(info.static_shared_bytes, 256u);
  ASSERT_EQ(info.parameters.size(), 3u);
  EXPECT_EQ(info.parameters[1].offset, 8u);
  EXPECT_EQ(info.parameters[2].size, 2u);
  EXPECT_EQ(info.parameter_bytes, 18u);
}

TEST_F(OnFakeDriver, AModuleIsCompiledWhenItIsNeeded) {
  const ModuleId module = load();
  EXPECT_EQ(count("cuModuleLoadDataEx"), 0u);
  KernelId kernel = 0, again = 0;
  EXPECT_OK(gpu().find_kernel(module, "first", &kernel));
  EXPECT_OK(gpu().find_kernel(module, "first", &again));
  EXPECT_EQ(kernel, again);
  EXPECT_EQ(gpu().find_kernel(module, "third", &kernel).failure, Failure::NotFound);
  EXPECT_EQ(count("cuModuleLoadDataEx"), 1u);
  std::vector<std::string> names;
  EXPECT_OK(gpu().list_kernels(module, &names));
  EXPECT_EQ(names, (std::vector<std::string>{"first", "second"}));
  EXPECT_OK(gpu().unload_module(module));
  EXPECT_EQ(gpu().submit(0, Launch{.kernel = kernel}).failure, Failure::InvalidValue);
}

TEST_F(OnFakeDriver, AModuleIsCompiledAheadOfWorkOnRequest) {
  EXPECT_TRUE(gpu().wants_modules_ahead());
  const ModuleId module = load();
  gpu().make_ready(module);
  EXPECT_EQ(count("cuModuleLoadDataEx"), 1u);
  EXPECT_EQ(count("cuFuncLoad"), 2u);
  KernelId kernel = 0;
  EXPECT_OK(gpu().find_kernel(module, "first", &kernel));
  EXPECT_EQ(count("cuModuleLoadDataEx"), 1u);
  // What fails ahead is told by the first look-up.
  fake_->compile_error = "fatal : Parsing error\n";
  const ModuleId broken = load();
  gpu().make_ready(broken);
  EXPECT_EQ(gpu().find_kernel(broken, "first", &kernel).failure, Failure::InvalidPtx);
  EXPECT_EQ(count("cuModuleLoadDataEx"), 2u);
}

// Relocatable code: the text of several modules, which the driver links.
TEST_F(OnFakeDriver, SeveralModulesOfOneTextAreLinked) {
  const std::string second = ".version 8.0\n.target sm_80\n.visible .entry fourth(.param .u32 n) { ret; }\n";
  ModuleId module = 0;
  EXPECT_OK(gpu().load_module(std::string(kModule) + "\n" + second, "two", &module));
  KernelId kernel = 0;
  EXPECT_OK(gpu().find_kernel(module, "first", &kernel));
  EXPECT_OK(gpu().find_kernel(module, "fourth", &kernel));
  EXPECT_EQ(count("cuLinkAddData_v2"), 2u);
  EXPECT_NE(fake_->module_text.find("// linked\n.version 8.0\n"), std::string::npos) << fake_->module_text;
  EXPECT_EQ(fake_->live["link"], 0);
  EXPECT_OK(gpu().unload_module(module));
}

TEST_F(OnFakeDriver, CodeWithLineTablesIsOptimised) {
  ModuleId module = 0;
  EXPECT_OK(gpu().load_module(".version 8.0\n.target sm_80, debug\n.entry k(.param .u32 n) { ret; }", "k", &module));
  KernelId kernel = 0;
  EXPECT_OK(gpu().find_kernel(module, "k", &kernel));
  EXPECT_NE(fake_->module_text.find(".target sm_80\n"), std::string::npos) << fake_->module_text;
}

TEST_F(OnFakeDriver, TheCompilersWordsArePassedOn) {
  const ModuleId module = load();
  fake_->compile_error = "ptxas application ptx input, line 9; fatal : Parsing error\n";
  KernelId kernel = 0;
  const Status status = gpu().find_kernel(module, "first", &kernel);
  EXPECT_EQ(status.failure, Failure::InvalidPtx);
  EXPECT_NE(status.detail.find("line 9; fatal : Parsing error"), std::string::npos) << status.detail;
  EXPECT_EQ(gpu().find_kernel(module, "second", &kernel).detail, status.detail);
  EXPECT_EQ(count("cuModuleLoadDataEx"), 1u);
}

TEST_F(OnFakeDriver, VariablesAndTheManagedOnes) {
  const ModuleId module = load();
  EXPECT_OK(gpu().make_managed(module, "counter"));
  EXPECT_OK(gpu().make_managed(module, "shared"));  // which is managed already
  EXPECT_EQ(gpu().make_managed(module, "count").failure, Failure::NotFound);
  SymbolInfo counter;
  EXPECT_OK(gpu().find_symbol(module, "counter", &counter));
  EXPECT_NE(fake_->module_text.find(".visible .global .attribute(.managed) .align 4 .u32 counter;"), std::string::npos)
      << fake_->module_text;
  EXPECT_EQ(fake_->module_text.find(".attribute(.managed) .attribute"), std::string::npos);
  EXPECT_EQ(counter.size, 4u);
  EXPECT_EQ(gpu().find_allocation(counter.address + 3)->kind, MemoryKind::Managed);
  SymbolInfo none;
  EXPECT_EQ(gpu().find_symbol(module, "", &none).failure, Failure::NotFound);
  EXPECT_EQ(gpu().make_managed(module, "counter").failure, Failure::InvalidValue);  // too late
  EXPECT_OK(gpu().unload_module(module));
  EXPECT_FALSE(gpu().find_allocation(counter.address));
}

// --- launches -------------------------------------------------------------------------------------------------

TEST_F(OnFakeDriver, ALaunchArrivesAsItWasAsked) {
  Launch launch = launch_of("first");
  launch.grid = {4, 2, 1}, launch.block = {64, 1, 2}, launch.dynamic_shared_bytes = 4096;
  const uint32_t n = 7;
  const uint64_t at = 0x123456789a;
  std::memcpy(launch.parameters.data(), &n, 4);
  std::memcpy(launch.parameters.data() + 8, &at, 8);
  EXPECT_OK(gpu().allow_dynamic_shared(launch.kernel, 100000));
  EXPECT_EQ(fake_->function_attributes[8], 100000);
  const StreamId stream = gpu().create_stream(true, 0);
  EXPECT_OK(gpu().submit(stream, launch));
  ASSERT_EQ(fake_->launches.size(), 1u);
  const FakeLaunch& got = fake_->launches[0];
  EXPECT_EQ(got.kernel, "first");
  EXPECT_EQ(got.grid[1], 2u);
  EXPECT_EQ(got.block[2], 2u);
  EXPECT_EQ(got.shared_bytes, 4096u);
  EXPECT_FALSE(got.cooperative);
  EXPECT_NE(got.stream, nullptr);
  EXPECT_EQ(std::memcmp(got.parameters[0].data(), &n, 4), 0);
  EXPECT_EQ(std::memcmp(got.parameters[1].data(), &at, 8), 0);
  launch.parameters.resize(4);
  EXPECT_EQ(gpu().submit(stream, launch).failure, Failure::InvalidValue);
}

TEST_F(OnFakeDriver, ClustersAndCooperativeGrids) {
  Launch launch = launch_of("second");
  launch.cluster = {8, 1, 1};
  EXPECT_OK(gpu().submit(0, launch));
  EXPECT_EQ(fake_->launches.back().cluster[0], 8u);
  EXPECT_EQ(fake_->function_attributes[14], 0);
  launch.cluster = {8, 2, 1}, launch.cooperative = true;
  EXPECT_OK(gpu().submit(0, launch));
  EXPECT_OK(gpu().submit(0, launch));
  EXPECT_EQ(fake_->launches.back().cluster[1], 2u);
  EXPECT_TRUE(fake_->launches.back().cooperative);
  EXPECT_EQ(fake_->function_attributes[14], 1);  // more than eight blocks
  EXPECT_EQ(count("cuFuncSetAttribute"), 1u);
}

// What a GPU has room for depends on groups of multiprocessors, of which the driver alone knows.
TEST_F(OnFakeDriver, TheDriverCountsClusters) {
  Launch launch = launch_of("second");
  std::optional<int> clusters;
  launch.cluster = {2, 1, 1};
  EXPECT_OK(gpu().count_clusters(launch, &clusters));
  EXPECT_EQ(clusters, 66);
  EXPECT_EQ(fake_->function_attributes[14], 0);
  launch.cluster = {16, 1, 1};
  EXPECT_OK(gpu().count_clusters(launch, &clusters));
  EXPECT_EQ(clusters, 7);
  EXPECT_EQ(fake_->function_attributes[14], 1);  // more than eight blocks
  launch.kernel = 12345;
  EXPECT_EQ(gpu().count_clusters(launch, &clusters).failure, Failure::InvalidValue);
}

TEST_F(OnFakeDriver, AKernelsFailureStaysUntilTheReset) {
  const Launch launch = launch_of("second");
  allocate(64);
  fake_->restart();
  fake_->fail_at = 1, fake_->failure = 700;  // the wait after the launch
  EXPECT_OK(gpu().submit(0, launch));
  const Status status = gpu().wait(0);
  EXPECT_EQ(status.failure, Failure::IllegalAddress);
  EXPECT_TRUE(status.detail.starts_with("R0603: ")) << status.detail;
  EXPECT_EQ(gpu().sticky_failure().failure, Failure::IllegalAddress);
  Address address = 0;
  EXPECT_EQ(gpu().allocate(1, MemoryKind::Device, &address).failure, Failure::IllegalAddress);
  EXPECT_EQ(gpu().submit(0, launch).failure, Failure::IllegalAddress);
  EXPECT_TRUE(gpu().stream_done(0));
  gpu().reset();
  EXPECT_OK(gpu().sticky_failure());
  EXPECT_EQ(fake_->live["memory"], 0);
  EXPECT_EQ(fake_->live["module"], 0);
  allocate(64);
}

// --- streams and events ---------------------------------------------------------------------------------------

TEST_F(OnFakeDriver, EventsTellTime) {
  const EventId from = gpu().create_event(), to = gpu().create_event();
  EXPECT_FALSE(gpu().event_recorded(from));
  EXPECT_OK(gpu().submit(0, RecordEvent{from}));
  EXPECT_OK(gpu().submit(0, RecordEvent{to}));
  EXPECT_TRUE(gpu().event_recorded(from));
  fake_->not_ready = 1;
  EXPECT_FALSE(gpu().event_done(to));
  EXPECT_TRUE(gpu().event_done(to));
  EXPECT_DOUBLE_EQ(gpu().milliseconds_between(from, to), 1.5);
  EXPECT_EQ(gpu().event_time(to), 1500000u);
  EXPECT_OK(gpu().wait_event(to));
  EXPECT_OK(gpu().destroy_event(to));
  EXPECT_EQ(gpu().submit(0, RecordEvent{to}).failure, Failure::InvalidValue);
}

TEST_F(OnFakeDriver, StreamsWaitForEventsAndValues) {
  const StreamId stream = gpu().create_stream(false, -1);
  const EventId event = gpu().create_event();
  const Address word = allocate(8);
  EXPECT_OK(gpu().submit(0, RecordEvent{event}));
  EXPECT_OK(gpu().submit(stream, WaitEvent{event}));
  EXPECT_OK(gpu().submit(stream, WaitValue{word, 5, 4, WaitValue::Test::And}));
  EXPECT_OK(gpu().submit(stream, WaitValue{word, uint64_t{1} << 40, 8}));
  EXPECT_OK(gpu().submit(stream, WriteValue{word, 6}));
  EXPECT_OK(gpu().submit(stream, WriteValue{word, uint64_t{1} << 41, 8}));
  EXPECT_EQ(fake_->waited_values, (std::vector<uint64_t>{5 + (uint64_t{2} << 32), uint64_t{1} << 40}));
  EXPECT_EQ(fake_->written_values, (std::vector<uint64_t>{6, uint64_t{1} << 41}));
  fake_->not_ready = 1;
  EXPECT_FALSE(gpu().stream_done(stream));
  EXPECT_TRUE(gpu().stream_done(stream));
  EXPECT_OK(gpu().destroy_stream(stream));
  EXPECT_EQ(gpu().wait(stream).failure, Failure::InvalidValue);
  EXPECT_EQ(gpu().destroy_stream(0).failure, Failure::InvalidValue);
}

// The program ends while a stream waits for a value that is never written.
TEST_F(OnFakeDriver, TheEndDropsWorkThatWaitsForEver) {
  const Address word = allocate(8);
  fake_->not_ready = 3;
  gpu().end_work();
  EXPECT_EQ(fake_->not_ready, 3) << "no stream waits for a value: the device is waited for";
  EXPECT_OK(gpu().submit(0, WaitValue{word, 5}));
  gpu().end_work();
  EXPECT_EQ(fake_->not_ready, 0);
  fake_->not_ready = 1 << 30;
  const ModuleId module = load();
  gpu().end_work();
  fake_->restart();
  // The program ends: its code and its memory are not given back one by one.
  EXPECT_EQ(gpu().unload_module(module).failure, Failure::Unloading);
  EXPECT_EQ(gpu().free(word).failure, Failure::Unloading);
  fake_->live = {{"context", 1}};  // what is left goes with the context
  gpu().reset();
  EXPECT_EQ(count("cuMemFree_v2") + count("cuCtxSynchronize"), 0u);
  EXPECT_EQ(count("cuDevicePrimaryCtxReset_v2"), 2u);
  fake_->not_ready = 0;
  allocate(8);
}

TEST_F(OnFakeDriver, HostFunctionsAndThoseThatRunCommands) {
  bool called = false;
  EXPECT_OK(gpu().submit(0, HostFunction{.call = [&] { called = true; }}));
  EXPECT_TRUE(called);
  EXPECT_EQ(count("cuLaunchHostFunc"), 1u);
  const Address a = allocate(4);
  EXPECT_OK(gpu().submit(0, HostFunction{.call =
                                             [&] {
                                               EXPECT_OK(gpu().run_inside(Fill{a, 9, 1, 4, 1, 4}));
                                               gpu().fail_inside({Failure::InvalidValue, "as it wants"});
                                             },
                                         .runs_commands = true}));
  EXPECT_EQ(count("cuLaunchHostFunc"), 1u);
  EXPECT_EQ(*reinterpret_cast<unsigned char*>(a), 9);
  EXPECT_EQ(gpu().wait_all().detail, "as it wants");
  EXPECT_OK(gpu().wait_all());
}

class SeenLaunches final : public LaunchObserver {
 public:
  void launched(const TimedLaunch& launch) override { launches.push_back(launch); }
  void ended() override { ++ends; }
  std::vector<TimedLaunch> launches;
  int ends = 0;
};

// Each launch between two events, after one that empties the cache. Fills and copies are not timed.
TEST_F(OnFakeDriver, LaunchesAreTimed) {
  auto seen = std::make_shared<SeenLaunches>();
  gpu::Setup with_times = setup();
  with_times.launches = seen;
  fake_->attributes[38] = 1 << 20;  // a small L2, soon flushed
  gpu_ = std::move(open(with_times)).value();
  const Launch launch = launch_of("second");
  const Address a = allocate(64);
  fake_->restart();
  EXPECT_OK(gpu().submit(0, launch));
  const std::vector<std::string> first = {"cuModuleLoadDataEx",  "cuMemAlloc_v2",       "cuMemsetD8Async",
                                          "cuStreamSynchronize", "cuModuleGetFunction", "cuEventCreate",
                                          "cuEventCreate",       "cuLaunchKernelEx",    "cuEventRecord",
                                          "cuLaunchKernelEx",    "cuEventRecord"};
  EXPECT_EQ(fake_->calls, first);
  EXPECT_EQ(fake_->launches.size(), 2u);
  EXPECT_EQ(fake_->launches[0].kernel, "warpwise_read_through");
  EXPECT_TRUE(seen->launches.empty());  // the host has not waited for it
  EXPECT_OK(gpu().wait(0));
  ASSERT_EQ(seen->launches.size(), 1u);
  EXPECT_EQ(seen->launches[0].kernel, "second");
  EXPECT_DOUBLE_EQ(seen->launches[0].seconds, 1.5e-3);
  fake_->restart();
  EXPECT_OK(gpu().submit(0, Fill{a, 0, 1, 64, 1, 64}));
  EXPECT_EQ(fake_->calls, std::vector<std::string>{"cuMemsetD8Async"});
  fake_->restart();
  EXPECT_OK(gpu().submit(0, launch));
  const std::vector<std::string> again = {"cuLaunchKernelEx", "cuEventRecord", "cuLaunchKernelEx", "cuEventRecord"};
  EXPECT_EQ(fake_->calls, again);  // what was made is used again
  gpu().end_work();
  EXPECT_EQ(seen->launches.size(), 2u);
  EXPECT_EQ(seen->ends, 1);
}

// A program that works on does not wait for times: they are read when their events are done.
TEST_F(OnFakeDriver, TimingDoesNotWait) {
  auto seen = std::make_shared<SeenLaunches>();
  gpu::Setup with_times = setup();
  with_times.launches = seen;
  fake_->attributes[38] = 1 << 20;  // a small L2, soon flushed
  gpu_ = std::move(open(with_times)).value();
  const Launch launch = launch_of("second");
  EXPECT_OK(gpu().submit(0, launch));
  fake_->restart();
  fake_->not_ready = 1;
  EXPECT_OK(gpu().submit(0, launch));
  EXPECT_TRUE(seen->launches.empty());
  EXPECT_EQ(count("cuStreamSynchronize") + count("cuCtxSynchronize"), 0u);
  EXPECT_OK(gpu().submit(0, launch));
  EXPECT_EQ(seen->launches.size(), 2u);
}

// A launch that the driver refuses takes no time, and those after it are told.
TEST_F(OnFakeDriver, RefusedLaunchesAreNotTimed) {
  auto seen = std::make_shared<SeenLaunches>();
  gpu::Setup with_times = setup();
  with_times.launches = seen;
  fake_->attributes[38] = 1 << 20;  // a small L2, soon flushed
  gpu_ = std::move(open(with_times)).value();
  const Launch launch = launch_of("second");
  EXPECT_OK(gpu().submit(0, launch));
  EXPECT_OK(gpu().wait(0));
  fake_->restart();
  fake_->fail_at = 2;  // flush, event, launch
  EXPECT_EQ(gpu().submit(0, launch).failure, Failure::InvalidValue);
  EXPECT_EQ(fake_->failed, "cuLaunchKernelEx");
  fake_->restart();
  EXPECT_OK(gpu().submit(0, launch));
  EXPECT_OK(gpu().wait(0));
  EXPECT_EQ(seen->launches.size(), 2u);
}

// --- addresses and memory apart -------------------------------------------------------------------------------

TEST_F(OnFakeDriver, MapsMemory) {
  VirtualMemory& memory = *gpu().virtual_memory();
  EXPECT_EQ(memory.granularity(), 4096u);
  Address base = 0;
  MemoryId id = 0, again = 0;
  Access access = Access::None;
  EXPECT_OK(memory.reserve(8192, 0, &base));
  EXPECT_OK(memory.create(4096, 0, &id));
  EXPECT_OK(memory.map(base, 4096, id, 0));
  EXPECT_OK(memory.set_access(base, 4096, Access::ReadWrite));
  EXPECT_OK(memory.get_access(base, &access));
  EXPECT_EQ(access, Access::ReadWrite);
  EXPECT_EQ(gpu().find_allocation(base + 4095)->size, 4096u);
  EXPECT_FALSE(gpu().find_allocation(base + 4096));
  EXPECT_OK(memory.retain(base, &again));
  EXPECT_OK(memory.release(again));
  EXPECT_OK(memory.unmap(base, 4096));
  EXPECT_FALSE(gpu().find_allocation(base));
  EXPECT_OK(memory.release(id));
  EXPECT_EQ(memory.release(id).failure, Failure::InvalidValue);
  EXPECT_OK(memory.free(base, 8192));
  MemoryId multicast = 0;
  EXPECT_TRUE(memory.create_multicast(4096, 2, &multicast).detail.starts_with("R0604: "));
}

TEST_F(OnFakeDriver, RegistersHostMemory) {
  int word = 0;
  Address address = 0;
  VirtualMemory& memory = *gpu().virtual_memory();
  EXPECT_OK(memory.map_host(&word, sizeof word, &address));
  EXPECT_EQ(address, reinterpret_cast<Address>(&word));
  EXPECT_OK(memory.unmap_host(address));
  EXPECT_EQ(memory.unmap_host(address).failure, Failure::InvalidValue);
}

// --- failures at every call -----------------------------------------------------------------------------------

// Uses nearly everything; the failures that were seen.
std::vector<Status> use(Device& gpu) {
  std::vector<Status> failures;
  auto note = [&](Status status) {
    if (!status.ok()) failures.push_back(std::move(status));
  };
  Address device = 0, managed = 0, pinned = 0;
  note(gpu.allocate(256, MemoryKind::Device, &device));
  note(gpu.allocate(256, MemoryKind::Managed, &managed));
  note(gpu.allocate(256, MemoryKind::Pinned, &pinned));
  const StreamId stream = gpu.create_stream(true, 0);
  const EventId event = gpu.create_event();
  std::vector<unsigned char> host(256);
  auto rows = [](size_t bytes) { return CopyShape{.width = bytes, .dst_pitch = bytes, .src_pitch = bytes}; };
  if (device && managed) {
    note(gpu.submit(stream, CopyToDevice{device, host.data(), rows(256)}));
    note(
        gpu.submit(stream, CopyOnDevice{managed, device, {.width = 8, .height = 4, .dst_pitch = 16, .src_pitch = 32}}));
    note(gpu.submit(stream, Fill{device, 1, 4, 64, 1, 64}));
    note(gpu.submit(stream, CopyFromDevice{host.data(), device, rows(256)}));
    note(gpu.submit(stream, CopyOnHost{host.data(), host.data() + 128, rows(64)}));
    note(gpu.submit(stream, WriteValue{device, 1}));
    Address again = 0;
    note(gpu.allocate(128, MemoryKind::Device, &again));
    if (again) note(gpu.free_in_order(stream, again));
    uint64_t texture = 0, surface = 0;
    TextureDescriptor cube{.image = {.shape = ImageShape::D3}};
    cube.image.levels[0] = {device, 16, 32, 4, 2, 2};
    note(gpu.create_texture(cube, &texture));
    cube.surface = true;
    note(gpu.create_texture(cube, &surface));
    ModuleId module = 0;
    KernelId kernel = 0;
    SymbolInfo symbol;
    note(gpu.load_module(kModule, "test", &module));
    if (module) {
      note(gpu.find_kernel(module, "first", &kernel));
      note(gpu.find_symbol(module, "counter", &symbol));
      if (kernel)
        note(gpu.submit(stream,
                        Launch{.kernel = kernel, .cluster = {16, 1, 1}, .parameters = std::vector<std::byte>(18)}));
      note(gpu.submit(stream, CopyFromDevice{host.data(), device, rows(16)}));
      if (surface) note(gpu.destroy_texture(surface));
      if (texture) note(gpu.destroy_texture(texture));
      note(gpu.unload_module(module));
    }
    const std::string two = std::string(kModule) + "\n" + kModule;
    note(gpu.load_module(two, "two", &module));
    note(gpu.find_kernel(module, "first", &kernel));
    note(gpu.unload_module(module));
  }
  note(gpu.submit(stream, RecordEvent{event}));
  note(gpu.submit(0, WaitEvent{event}));
  note(gpu.wait(stream));
  note(gpu.wait_event(event));
  VirtualMemory& memory = *gpu.virtual_memory();
  Address base = 0;
  MemoryId id = 0;
  note(memory.reserve(4096, 0, &base));
  if (base) note(memory.create(4096, 0, &id));
  if (id) note(memory.map(base, 4096, id, 0));
  note(memory.map_host(host.data(), 64, &base));
  note(gpu.destroy_event(event));
  note(gpu.destroy_stream(stream));
  for (Address each : {device, managed, pinned})
    if (each) note(gpu.free(each));
  note(gpu.wait_all());
  return failures;
}

bool gives_back(std::string_view symbol) {
  for (std::string_view word : {"Free", "Destroy", "Unload", "Unmap", "Release", "Unregister"})
    if (symbol.find(word) != symbol.npos) return true;
  return false;
}

void fail_at_every_call(FakeDriver* fake, const gpu::Setup& setup, int code) {
  bool failed = true;
  for (int at = 0; failed; ++at) {
    fake->restart();
    fake->fail_at = at, fake->failure = code;
    bool noticed = true;
    if (auto opened = open(setup); opened.ok()) {
      noticed = !use(*opened.value()).empty();
      const std::string during = fake->failed;
      opened.value().reset();
      // What the end gives back can fail unseen.
      if (during.empty()) noticed = true;
    } else {
      EXPECT_EQ(opened.error().code, "R0601") << fake->failed;
    }
    failed = !fake->failed.empty();
    EXPECT_TRUE(noticed) << "no status tells that " << fake->failed << " (call " << at << ") failed with " << code;
    // What a call fails to give back is lost, unless it is tried again.
    EXPECT_LE(fake->live_in_all(), gives_back(fake->failed) ? 1 : 0)
        << "not given back after " << fake->failed << " (call " << at << ") failed";
    fake->live.clear();
  }
}

TEST_F(OnFakeDriver, AFailureOfAnyCallIsToldAndLeaksNothing) { fail_at_every_call(fake_, setup(), 1); }
TEST_F(OnFakeDriver, AFailureOfAKernelAtAnyCallIsToldAndLeaksNothing) { fail_at_every_call(fake_, setup(), 700); }

TEST_F(OnFakeDriver, WithoutFailuresEverythingWorks) {
  for (const Status& status : use(gpu())) ADD_FAILURE() << status.detail;
}

}  // namespace
}  // namespace warpwise::device::gpu::testing
