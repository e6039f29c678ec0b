// Launches, streams and events of a GpuDevice.
#include <cstring>

#include "gpu_fixture.h"

namespace warpwise::device::gpu::testing {
namespace {

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

}  // namespace
}  // namespace warpwise::device::gpu::testing
