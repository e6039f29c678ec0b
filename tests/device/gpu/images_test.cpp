// Textures and surfaces of a GpuDevice: arrays of the driver beside the memory of images, each brought up to date when
// it is used. On the fake driver a texture's handle is the address of what it samples.
#include <cstring>
#include <numeric>

#include "device/tensor_map.h"
#include "gpu_fixture.h"

namespace warpwise::device::gpu::testing {
namespace {

// A volume of 4 x 2 x 2 bytes whose rows are 8 bytes apart.
constexpr uint64_t kPitch = 8, kSlice = 32;

class ImagesOnFakeDriver : public OnFakeDriver {
 protected:
  TextureDescriptor volume(Address base) {
    TextureDescriptor texture{.image = {.shape = ImageShape::D3, .format = {Channel::Unsigned, 8, 1}}};
    texture.image.levels[0] = {base, kPitch, kSlice, 4, 2, 2};
    return texture;
  }
  uint64_t make(TextureDescriptor texture, bool surface = false) {
    texture.surface = surface;
    uint64_t handle = 0;
    const Status status = gpu().create_texture(texture, &handle);
    EXPECT_TRUE(status.ok()) << status.detail;
    return handle;
  }
  void put(Address to, unsigned char value) { EXPECT_OK(gpu().submit(0, Fill{to, value, 1, 4, 1, 4})); }
  unsigned char get(Address from) {
    unsigned char value = 0;
    EXPECT_OK(gpu().submit(0, CopyFromDevice{&value, from, row(1)}));
    return value;
  }
};

TEST_F(ImagesOnFakeDriver, MemoryReachesTheArrayBeforeALaunch) {
  const Address base = allocate(64);
  const uint64_t texture = make(volume(base));
  auto* array = reinterpret_cast<unsigned char*>(texture);
  put(base + kSlice + kPitch, 42);  // the second row of the second slice
  EXPECT_EQ(array[12], 0);
  const Launch launch = launch_of("second");
  EXPECT_OK(gpu().submit(0, launch));
  EXPECT_EQ(array[12], 42);
  const size_t copies = count("cuMemcpy3DAsync_v2");
  EXPECT_EQ(copies, 2u);  // one for each slice
  EXPECT_OK(gpu().submit(0, launch));
  EXPECT_EQ(count("cuMemcpy3DAsync_v2"), copies) << "nothing had changed";
  EXPECT_OK(gpu().destroy_texture(texture));
  EXPECT_EQ(gpu().destroy_texture(texture).failure, Failure::InvalidValue);
  EXPECT_EQ(fake_->live["array"], 0);
}

TEST_F(ImagesOnFakeDriver, WhatKernelsWriteIsThereWhenItIsRead) {
  const Address base = allocate(64);
  const uint64_t texture = make(volume(base)), surface = make(volume(base), true);
  EXPECT_EQ(fake_->live["array"], 1);  // one for both
  auto* array = reinterpret_cast<unsigned char*>(texture);
  put(base, 1);
  fake_->on_launch = [&](const FakeLaunch&) { array[0] = 7; };
  EXPECT_OK(gpu().submit(0, launch_of("second")));
  EXPECT_EQ(get(base), 7);
  // A copy to another place of the image keeps it.
  EXPECT_OK(gpu().submit(0, launch_of("second")));
  put(base + kPitch, 9);
  EXPECT_EQ(get(base), 7);
  EXPECT_OK(gpu().submit(0, launch_of("second")));
  EXPECT_EQ(array[4], 9);
  // The surface goes, and what it wrote stays.
  fake_->on_launch = [&](const FakeLaunch&) { array[1] = 5; };
  EXPECT_OK(gpu().submit(0, launch_of("second")));
  EXPECT_OK(gpu().destroy_texture(texture));
  EXPECT_OK(gpu().destroy_texture(surface));
  EXPECT_EQ(get(base + 1), 5);
}

TEST_F(ImagesOnFakeDriver, LinearMemoryAndPitchedRowsNeedNoArray) {
  const Address base = allocate(1024);
  TextureDescriptor linear{.image = {.shape = ImageShape::Linear}};
  linear.image.levels[0] = {.base = base, .width = 16};
  TextureDescriptor pitched{.image = {.shape = ImageShape::D2}};
  pitched.image.levels[0] = {.base = base, .pitch = 512, .width = 16, .height = 2};
  const uint64_t one = make(linear);
  EXPECT_EQ(one, base);
  EXPECT_OK(gpu().destroy_texture(one));
  make(pitched);
  EXPECT_EQ(count("cuArray3DCreate_v2"), 0u);
}

TEST_F(ImagesOnFakeDriver, LevelsAreCopiedOneByOne) {
  const Address base = allocate(256);
  TextureDescriptor levels{.image = {.shape = ImageShape::D2, .format = {Channel::Unsigned, 8, 1}, .level_count = 2}};
  levels.image.levels[0] = {base, 16, 64, 4, 4};
  levels.image.levels[1] = {base + 64, 16, 32, 2, 2};
  make(levels);
  EXPECT_OK(gpu().submit(0, launch_of("second")));
  EXPECT_EQ(count("cuMipmappedArrayGetLevel"), 2u);
  EXPECT_EQ(fake_->live["mipmapped array"], 1);
}

TEST_F(ImagesOnFakeDriver, OneImageInTwoShapesIsRefused) {
  const Address base = allocate(64);
  make(volume(base));
  TextureDescriptor other = volume(base);
  other.image.levels[0].width = 2;
  uint64_t handle = 0;
  const Status status = gpu().create_texture(other, &handle);
  EXPECT_EQ(status.failure, Failure::NotSupported);
  EXPECT_TRUE(status.detail.starts_with("R0604: ")) << status.detail;
}

// The numbers that a program gave to the encoding function are those that the driver gets.
TEST_F(ImagesOnFakeDriver, TensorMapsAreSealedByTheDriver) {
  const Address base = allocate(1 << 16);
  const uint64_t sizes[] = {256, 64}, strides[] = {512};
  const uint32_t box[] = {32, 16}, steps[] = {1, 1};
  alignas(64) std::byte map[kTensorMapBytes];
  const TensorRequest request{.type = 6,
                              .rank = 2,
                              .address = base,
                              .sizes = sizes,
                              .strides = strides,
                              .element_strides = steps,
                              .interleave = 0,
                              .swizzle = 2,
                              .promotion = 1,
                              .fill = 1};
  EXPECT_OK(encode_tiled(map, request, box));
  EXPECT_OK(gpu().seal_tensor_map(map));
  EXPECT_EQ(fake_->tensor_numbers, (std::vector<int>{6, 2, 256, 64, 512, 32, 16, 1, 0, 2, 1, 1}));
  EXPECT_EQ(map[127], std::byte{0x5a});
  EXPECT_EQ(gpu().seal_tensor_map(map).failure, Failure::InvalidValue);  // twice
  EXPECT_OK(gpu().readdress_tensor_map(map, base + 1024));
  EXPECT_EQ(map[0], std::byte{0x5c});
}

}  // namespace
}  // namespace warpwise::device::gpu::testing
