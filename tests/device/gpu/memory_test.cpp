// Memory, copies, fills and mapped addresses of a GpuDevice.
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

}  // namespace
}  // namespace warpwise::device::gpu::testing
