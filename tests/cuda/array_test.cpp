// Arrays, textures and surfaces: creating and copying them, and CUDA's errors for mistakes. The errors are those of an
// H200 (CUDA 13.0), recorded call by call.
#include <numeric>
#include <vector>

#include "cuda/runtime/texture/texture_types.h"
#include "runtime_test.h"

namespace warpwise::cuda::testing {
namespace {

class ArrayTest : public RuntimeTest {
 protected:
  static constexpr cudaChannelFormatDesc kFloat{32, 0, 0, 0, cudaChannelFormatKindFloat};
  static constexpr cudaChannelFormatDesc kByte{8, 0, 0, 0, cudaChannelFormatKindUnsigned};
  static constexpr cudaChannelFormatDesc kWord{32, 0, 0, 0, cudaChannelFormatKindUnsigned};

  static cudaArray_t make(const cudaChannelFormatDesc& desc, cudaExtent extent, unsigned flags = 0) {
    cudaArray_t array = nullptr;
    EXPECT_EQ(cudaMalloc3DArray(&array, &desc, extent, flags), cudaSuccess);
    return array;
  }
  static cudaError_t refused(cudaExtent extent, unsigned flags) {
    cudaArray_t array = nullptr;
    return cudaMalloc3DArray(&array, &kFloat, extent, flags);
  }
  static cudaError_t refused(cudaChannelFormatDesc desc) {
    cudaArray_t array = nullptr;
    return cudaMallocArray(&array, &desc, 4, 4, 0);
  }
  static cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
  }
};

TEST_F(ArrayTest, FormatsThatDoNotExist) {
  EXPECT_EQ(refused({32, 32, 32, 0, cudaChannelFormatKindFloat}), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(refused({8, 0, 0, 0, cudaChannelFormatKindFloat}), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(refused({0, 0, 0, 0, cudaChannelFormatKindFloat}), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(refused({8, 16, 0, 0, cudaChannelFormatKindUnsigned}), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(refused({32, 0, 0, 0, cudaChannelFormatKindNone}), cudaErrorInvalidChannelDescriptor);
}

TEST_F(ArrayTest, ShapesThatDoNotExist) {
  EXPECT_EQ(refused({0, 4, 0}, 0), cudaErrorInvalidValue);
  EXPECT_EQ(refused({4, 5, 6}, cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(refused({4, 4, 5}, cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(refused({4, 0, 5}, 0), cudaErrorInvalidValue);
  EXPECT_EQ(refused({4, 4, 0}, cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(refused({4, 0, 0}, cudaArrayTextureGather), cudaErrorInvalidValue);
  EXPECT_EQ(refused({4, 4, 3000}, cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(refused({200000, 0, 0}, 0), cudaErrorInvalidValue);
  cudaArray_t array = nullptr;
  EXPECT_EQ(cudaMallocArray(&array, &kFloat, 4, 4, cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(nullptr, &kFloat, 4, 4, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(&array, nullptr, 4, 4, 0), cudaErrorInvalidValue);
}

TEST_F(ArrayTest, Levels) {
  cudaMipmappedArray_t whole = nullptr;
  ASSERT_EQ(cudaMallocMipmappedArray(&whole, &kFloat, {8, 8, 0}, 99, 0), cudaSuccess);
  cudaArray_t level = nullptr, again = nullptr;
  EXPECT_EQ(cudaGetMipmappedArrayLevel(&level, whole, 4), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGetMipmappedArrayLevel(&level, whole, 1), cudaSuccess);
  ASSERT_EQ(cudaGetMipmappedArrayLevel(&again, whole, 1), cudaSuccess);
  EXPECT_EQ(level, again);
  cudaExtent extent{};
  unsigned flags = 1;
  EXPECT_EQ(cudaArrayGetInfo(nullptr, &extent, &flags, level), cudaSuccess);
  EXPECT_EQ(extent.width, 4u);
  EXPECT_EQ(extent.height, 4u);
  EXPECT_EQ(extent.depth, 0u);
  EXPECT_EQ(flags, 0u);
  EXPECT_EQ(cudaFreeArray(level), cudaSuccess);  // and stays valid: the array owns it
  EXPECT_EQ(cudaArrayGetInfo(nullptr, &extent, nullptr, level), cudaSuccess);
  EXPECT_EQ(cudaFreeMipmappedArray(whole), cudaSuccess);
  EXPECT_EQ(cudaArrayGetInfo(nullptr, &extent, nullptr, level), cudaErrorInvalidResourceHandle);
}

TEST_F(ArrayTest, CopiesThereAndBack) {
  cudaArray_t array = make(kByte, {16, 4, 0});
  std::vector<unsigned char> in(64), out(64);
  std::iota(in.begin(), in.end(), 0);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, in.data(), 16, 16, 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2DFromArray(out.data(), 8, array, 4, 1, 8, 2, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(out[0], 20);
  EXPECT_EQ(out[15], 43);
  cudaArray_t other = make(kByte, {16, 4, 0});
  EXPECT_EQ(cudaMemcpy2DArrayToArray(other, 2, 2, array, 0, 0, 4, 2, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromArray(out.data(), other, 2, 2, 20, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(out[1], 1);    // row 2 from byte 2
  EXPECT_EQ(out[16], 16);  // row 3 from byte 2
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, in.data(), 16, 17, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 8, 0, in.data(), 16, 9, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 3, in.data(), 16, 8, 2, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, in.data(), 4, 8, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, nullptr, 16, 8, 2, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(nullptr, 0, 0, in.data(), 16, 8, 2, cudaMemcpyHostToDevice),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, in.data(), 16, 8, 1, cudaMemcpyDeviceToHost),
            cudaErrorInvalidMemcpyDirection);
}

TEST_F(ArrayTest, BoxesCountTexels) {
  cudaArray_t array = make(kFloat, {4, 3, 2});
  std::vector<float> in(24), out(8);
  std::iota(in.begin(), in.end(), 0.0f);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = {in.data(), 16, 4, 3};
  copy.dstArray = array;
  copy.extent = {4, 3, 2};
  copy.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  cudaMemcpy3DParms back{};
  back.srcArray = array;
  back.srcPos = {1, 1, 0};
  back.dstPtr = {out.data(), 8, 2, 2};
  back.extent = {2, 2, 2};
  back.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaMemcpy3D(&back), cudaSuccess);
  EXPECT_EQ(out, (std::vector<float>{5, 6, 9, 10, 17, 18, 21, 22}));
  copy.extent = {5, 3, 2};
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidPitchValue);
  copy.extent = {4, 3, 2};
  copy.dstPtr = copy.srcPtr;
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
}

TEST_F(ArrayTest, TextureOfAnArray) {
  cudaArray_t array = make(kByte, {16, 4, 0});
  cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc desc{};
  desc.addressMode[1] = cudaAddressModeMirror;
  desc.addressMode[2] = cudaAddressModeBorder;
  desc.readMode = cudaReadModeNormalizedFloat;
  desc.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &desc, nullptr), cudaSuccess);
  const TextureDescriptor& made = fake().textures.at(texture);
  EXPECT_EQ(made.image.shape, ImageShape::D2);
  EXPECT_EQ(made.image.levels[0].width, 16u);
  EXPECT_TRUE(made.sampler.linear && made.sampler.normalized_float);
  // Wrapping and mirroring need normalised coordinates; without them they clamp.
  EXPECT_EQ(made.sampler.address[0], AddressMode::Clamp);
  EXPECT_EQ(made.sampler.address[1], AddressMode::Clamp);
  EXPECT_EQ(made.sampler.address[2], AddressMode::Border);
  cudaTextureDesc asked{};
  EXPECT_EQ(cudaGetTextureObjectTextureDesc(&asked, texture), cudaSuccess);
  EXPECT_EQ(asked.filterMode, cudaFilterModeLinear);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  EXPECT_TRUE(fake().textures.empty());
  EXPECT_EQ(cudaGetTextureObjectTextureDesc(&asked, texture), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
}

TEST_F(ArrayTest, InvalidTextures) {
  cudaResourceDesc resource = resource_of(make(kByte, {16, 4, 0}));
  cudaTextureDesc desc{};
  cudaTextureObject_t texture = 0;
  EXPECT_EQ(cudaCreateTextureObject(nullptr, &resource, &desc, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateTextureObject(&texture, nullptr, &desc, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, nullptr, nullptr), cudaErrorInvalidResourceHandle);
  desc.filterMode = cudaFilterModeLinear;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &desc, nullptr), cudaErrorInvalidFilterSetting);
  desc.filterMode = cudaFilterModePoint;
  desc.readMode = cudaReadModeNormalizedFloat;
  resource = resource_of(make(kWord, {4, 4, 0}));
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &desc, nullptr), cudaErrorInvalidNormSetting);
  resource = resource_of(nullptr);
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &desc, nullptr), cudaErrorInvalidResourceHandle);
}

TEST_F(ArrayTest, TexturesOfMemory) {
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 4096), cudaSuccess);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {memory, kFloat, 8, 2, 36};
  cudaTextureDesc desc{};
  cudaTextureObject_t texture = 0;
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &desc, nullptr), cudaErrorInvalidValue);
  resource = {};
  resource.resType = cudaResourceTypeLinear;
  int host = 0;
  resource.res.linear = {&host, kFloat, 256};
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &desc, nullptr), cudaErrorInvalidValue);
  resource.res.linear = {memory, {32, 32, 32, 0, cudaChannelFormatKindFloat}, 256};
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &desc, nullptr), cudaErrorInvalidChannelDescriptor);
}

TEST_F(ArrayTest, Surfaces) {
  cudaResourceDesc resource = resource_of(make(kWord, {4, 2, 0}, cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t surface = 0;
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaSuccess);
  cudaResourceDesc asked{};
  EXPECT_EQ(cudaGetSurfaceObjectResourceDesc(&asked, surface), cudaSuccess);
  EXPECT_EQ(asked.res.array.array, resource.res.array.array);
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
  EXPECT_EQ(cudaCreateSurfaceObject(nullptr, &resource), cudaErrorInvalidValue);
  resource.resType = cudaResourceTypeLinear;
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidChannelDescriptor);
}

}  // namespace
}  // namespace warpwise::cuda::testing
