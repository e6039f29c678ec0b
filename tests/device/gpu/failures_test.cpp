// A failure of any call of the driver is told, and leaks nothing.
#include "device/virtual_memory.h"
#include "gpu_fixture.h"

namespace warpwise::device::gpu::testing {
namespace {

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
