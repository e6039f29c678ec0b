// What a device's texture unit answers, as bits: every kind of texture is sampled at the same coordinates and the
// results are written to a file. Run it on a real GPU and on Warpwise and compare the two files
// (tests/gpu/compare_samples.py); they were made by an H200 once and src/texture follows them.
//
//     nvcc -arch=sm_90 -o texture_samples texture_samples.cu && ./texture_samples real.bin
//     warpwise run texture_samples.cu -- ours.bin
//
// The file: for each case a line `name samples words`, then samples * words 32-bit words; or `name 0 error`.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#define CHECK(call)                                                                                   \
  do {                                                                                                \
    cudaError_t error_ = (call);                                                                      \
    if (error_ != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
      throw std::runtime_error(cudaGetErrorName(error_));                                              \
    }                                                                                                 \
  } while (0)

constexpr int kSamples = 2048;

enum class Shape { D1, D2, D3, Cube, Layered1, Layered2, LayeredCube, Linear, Pitch2 };
enum class How { Fetch, Lod, Grad, Gather };
enum class Where { Random, Sweep, Edges, Special, Texels };

struct Format {
  const char* name;
  int bits[4];
  cudaChannelFormatKind kind;
  int components() const { return (bits[0] > 0) + (bits[1] > 0) + (bits[2] > 0) + (bits[3] > 0); }
  int bytes() const { return (bits[0] + bits[1] + bits[2] + bits[3]) / 8; }
};
constexpr auto kU = cudaChannelFormatKindUnsigned, kS = cudaChannelFormatKindSigned, kF = cudaChannelFormatKindFloat;
const Format kU8{"u8", {8, 0, 0, 0}, kU}, kU8x2{"u8x2", {8, 8, 0, 0}, kU}, kU8x4{"u8x4", {8, 8, 8, 8}, kU};
const Format kS8{"s8", {8, 0, 0, 0}, kS}, kS8x4{"s8x4", {8, 8, 8, 8}, kS};
const Format kU16{"u16", {16, 0, 0, 0}, kU}, kU16x4{"u16x4", {16, 16, 16, 16}, kU}, kS16{"s16", {16, 0, 0, 0}, kS};
const Format kS16x2{"s16x2", {16, 16, 0, 0}, kS};
const Format kU32{"u32", {32, 0, 0, 0}, kU}, kS32x4{"s32x4", {32, 32, 32, 32}, kS};
const Format kF16{"f16", {16, 0, 0, 0}, kF}, kF16x4{"f16x4", {16, 16, 16, 16}, kF};
const Format kF32{"f32", {32, 0, 0, 0}, kF}, kF32x2{"f32x2", {32, 32, 0, 0}, kF}, kF32x4{"f32x4", {32, 32, 32, 32}, kF};

struct Case {
  std::string name;
  Shape shape = Shape::D2;
  Format format = kF32;
  int w = 16, h = 1, d = 1;
  int levels = 1;
  bool linear = false, normalized = false, as_float = false, srgb = false, mip_linear = false;
  cudaTextureAddressMode address = cudaAddressModeClamp;
  How how = How::Fetch;
  Where where = Where::Random;
  int component = 0;
  float bias = 0, min_level = 0, max_level = 100;
  int step_values = 0;  // 1: texels are 0, 1, 0, 1 ... along x; 2: all values of the format in order
  int anisotropy = 0;
  bool seamless = false;
};

struct Random {  // PCG
  uint64_t state;
  uint32_t next() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    uint32_t x = static_cast<uint32_t>(((state >> 18) ^ state) >> 27), r = static_cast<uint32_t>(state >> 59);
    return x >> r | x << ((32 - r) & 31);
  }
  float unit() { return static_cast<float>(next() >> 8) / 16777216.0f; }
};

struct Coordinates {
  float x, y, z, w;  // w: the layer
  float level, gx0, gy0, gz0, gx1, gy1, gz1, pad;
};

template <class T>
__device__ void keep(uint32_t* out, T v) {
  uint4 bits;
  memcpy(&bits, &v, 16);
  out[0] = bits.x, out[1] = bits.y, out[2] = bits.z, out[3] = bits.w;
}

// shape, how and component are the same for all threads.
template <class T>
__global__ void sample(cudaTextureObject_t t, Shape shape, How how, int component, const Coordinates* at, uint32_t* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Coordinates c = at[i];
  T v{};
  int layer = static_cast<int>(c.w);
  if (how == How::Fetch) {
    switch (shape) {
      case Shape::D1: v = tex1D<T>(t, c.x); break;
      case Shape::D2: case Shape::Pitch2: v = tex2D<T>(t, c.x, c.y); break;
      case Shape::D3: v = tex3D<T>(t, c.x, c.y, c.z); break;
      case Shape::Cube: v = texCubemap<T>(t, c.x, c.y, c.z); break;
      case Shape::Layered1: v = tex1DLayered<T>(t, c.x, layer); break;
      case Shape::Layered2: v = tex2DLayered<T>(t, c.x, c.y, layer); break;
      case Shape::LayeredCube: v = texCubemapLayered<T>(t, c.x, c.y, c.z, layer); break;
      case Shape::Linear: v = tex1Dfetch<T>(t, static_cast<int>(c.x)); break;
    }
  } else if (how == How::Lod) {
    switch (shape) {
      case Shape::D1: v = tex1DLod<T>(t, c.x, c.level); break;
      case Shape::D2: v = tex2DLod<T>(t, c.x, c.y, c.level); break;
      case Shape::D3: v = tex3DLod<T>(t, c.x, c.y, c.z, c.level); break;
      case Shape::Cube: v = texCubemapLod<T>(t, c.x, c.y, c.z, c.level); break;
      case Shape::Layered2: v = tex2DLayeredLod<T>(t, c.x, c.y, layer, c.level); break;
      default: break;
    }
  } else if (how == How::Grad) {
    switch (shape) {
      case Shape::D1: v = tex1DGrad<T>(t, c.x, c.gx0, c.gx1); break;
      case Shape::D2: v = tex2DGrad<T>(t, c.x, c.y, make_float2(c.gx0, c.gy0), make_float2(c.gx1, c.gy1)); break;
      case Shape::D3:
        v = tex3DGrad<T>(t, c.x, c.y, c.z, make_float4(c.gx0, c.gy0, c.gz0, 0), make_float4(c.gx1, c.gy1, c.gz1, 0));
        break;
      default: break;
    }
  } else {
    switch (component) {
      case 0: v = tex2Dgather<T>(t, c.x, c.y, 0); break;
      case 1: v = tex2Dgather<T>(t, c.x, c.y, 1); break;
      case 2: v = tex2Dgather<T>(t, c.x, c.y, 2); break;
      default: v = tex2Dgather<T>(t, c.x, c.y, 3); break;
    }
  }
  keep(out + 4 * i, v);
}

uint16_t half_of(float v) {  // exact for the values used here
  if (v == 0) return 0;
  int e;
  float m = std::frexp(std::fabs(v), &e);
  if (e < -13) return v < 0 ? 0x8000 : 0;
  return static_cast<uint16_t>((v < 0 ? 0x8000 : 0) | ((e + 14) << 10) | (static_cast<int>(m * 2048) & 1023));
}

// One component of a texel.
void put(std::vector<unsigned char>& bytes, const Case& c, Random& random, size_t texel, int x) {
  int bits = c.format.bits[0];
  uint32_t word = random.next();
  if (c.format.kind == kF) {
    float v = c.step_values == 1 ? static_cast<float>(x % 2) : random.unit() * 2 - 1;
    if (bits == 16) word = half_of(v);
    else std::memcpy(&word, &v, 4);
  } else if (c.step_values == 1) {
    word = x % 2 ? (c.format.kind == kU ? 0xffffffffu : (1u << (bits - 1)) - 1) : 0;
  } else if (c.step_values == 2) {
    word = static_cast<uint32_t>(texel);
  }
  for (int b = 0; b < bits / 8; ++b) bytes.push_back(static_cast<unsigned char>(word >> (8 * b)));
}

std::vector<unsigned char> texels_of(const Case& c, Random& random, int w, int h, int d) {
  std::vector<unsigned char> bytes;
  size_t texel = 0;
  for (int z = 0; z < d; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x, ++texel)
        for (int k = 0; k < c.format.components(); ++k) put(bytes, c, random, texel, x);
  return bytes;
}

float ulps(float v, int n) {
  for (; n > 0; --n) v = std::nextafterf(v, INFINITY);
  for (; n < 0; ++n) v = std::nextafterf(v, -INFINITY);
  return v;
}

float coordinate(const Case& c, Random& random, int i, int size, int axis) {
  const float n = c.normalized ? static_cast<float>(size) : 1.0f;
  switch (c.where) {
    case Where::Random: return (random.unit() * 4 - 1.5f) * (c.normalized ? 1.0f : static_cast<float>(size));
    case Where::Sweep: return axis == 0 ? (0.25f + static_cast<float>(i) / 1024.0f) / n : (0.5f + static_cast<float>(i % 7)) / n;
    case Where::Edges: {
      int half_steps = static_cast<int>(random.next() % (4 * size)) - size;
      float v = static_cast<float>(half_steps) * 0.5f / n;
      int away = static_cast<int>(random.next() % 9) - 4;
      if (random.next() % 4 == 0) return v + static_cast<float>(away) / 1024.0f / n;
      return v == 0 ? static_cast<float>(away) * 1e-6f : ulps(v, away);
    }
    case Where::Special: {
      static const float kValues[] = {0.0f, -0.0f, 1e-40f, -1e-40f, 1e-30f, -1e-30f, NAN, INFINITY, -INFINITY, 1e10f, -1e10f,
                                      2147483648.0f, -2147483648.0f, 4294967296.0f, 16777216.0f, 16777217.0f, 8388607.5f, 1e38f,
                                      -1e38f, 65536.0f, 65536.5f, -65536.25f, 32767.75f, 1048576.5f, 1.0f, 0.5f, 0.25f, 2.0f, 3.0f};
      return kValues[random.next() % (sizeof kValues / sizeof *kValues)];
    }
    case Where::Texels: return axis == 0 ? (static_cast<float>(i % size) + 0.5f) / n : (static_cast<float>(i / c.w % size) + 0.5f) / n;
  }
  return 0;
}

std::vector<Coordinates> coordinates_of(const Case& c, Random& random) {
  std::vector<Coordinates> all(kSamples);
  bool cube = c.shape == Shape::Cube || c.shape == Shape::LayeredCube;
  for (int i = 0; i < kSamples; ++i) {
    Coordinates& at = all[i];
    at.x = coordinate(c, random, i, c.w, 0);
    at.y = coordinate(c, random, i, c.h, 1);
    at.z = coordinate(c, random, i, c.d, 2);
    if (cube) {
      at.x = random.unit() * 2 - 1, at.y = random.unit() * 2 - 1, at.z = random.unit() * 2 - 1;
      if (i % 8 == 0) at.y = at.x;
      if (i % 8 == 1) at.z = -at.x;
      if (i % 16 == 2) at.y = at.z = 0;
    }
    at.w = static_cast<float>(static_cast<int>(random.next() % (c.d + 2)) - 1);
    at.level = random.unit() * 6 - 1;
    if (c.where == Where::Sweep) at.level = static_cast<float>(i) / 512.0f - 0.5f;
    float scale = std::ldexp(1.0f, static_cast<int>(random.next() % 8) - 6) * (c.normalized ? 1.0f : 16.0f);
    at.gx0 = (random.unit() * 2 - 1) * scale, at.gy0 = (random.unit() * 2 - 1) * scale, at.gz0 = (random.unit() * 2 - 1) * scale;
    at.gx1 = (random.unit() * 2 - 1) * scale, at.gy1 = (random.unit() * 2 - 1) * scale, at.gz1 = (random.unit() * 2 - 1) * scale;
    if (i % 4 == 0) at.gy0 = at.gz0 = at.gx1 = at.gy1 = at.gz1 = 0;
    if (i % 4 == 1) at.gx0 = at.gz0 = at.gx1 = at.gy1 = at.gz1 = 0;
    at.pad = 0;
  }
  return all;
}

// The memory behind a case's texture.
struct Texture {
  cudaArray_t array = nullptr;
  cudaMipmappedArray_t mipmaps = nullptr;
  void* memory = nullptr;
  cudaTextureObject_t object = 0;
};

void copy_in(const Case& c, Random& random, cudaArray_t array, int w, int h, int d, bool deep) {
  std::vector<unsigned char> bytes = texels_of(c, random, w, h, d);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(bytes.data(), static_cast<size_t>(w) * c.format.bytes(), w, h);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(w, h, deep ? d : 1);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
}

Texture make_texture(const Case& c, Random& random) {
  Texture t;
  cudaChannelFormatDesc format{c.format.bits[0], c.format.bits[1], c.format.bits[2], c.format.bits[3], c.format.kind};
  cudaResourceDesc resource{};
  size_t row = static_cast<size_t>(c.w) * c.format.bytes();
  if (c.shape == Shape::Linear || c.shape == Shape::Pitch2) {
    std::vector<unsigned char> bytes = texels_of(c, random, c.w, c.h, 1);
    size_t pitch = row;
    if (c.shape == Shape::Pitch2) CHECK(cudaMallocPitch(&t.memory, &pitch, row, c.h));
    else CHECK(cudaMalloc(&t.memory, row));
    CHECK(cudaMemcpy2D(t.memory, pitch, bytes.data(), row, row, c.h, cudaMemcpyHostToDevice));
    if (c.shape == Shape::Pitch2) {
      resource.resType = cudaResourceTypePitch2D;
      resource.res.pitch2D.devPtr = t.memory;
      resource.res.pitch2D.desc = format;
      resource.res.pitch2D.width = c.w, resource.res.pitch2D.height = c.h, resource.res.pitch2D.pitchInBytes = pitch;
    } else {
      resource.resType = cudaResourceTypeLinear;
      resource.res.linear.devPtr = t.memory;
      resource.res.linear.desc = format;
      resource.res.linear.sizeInBytes = row;
    }
  } else {
    unsigned flags = 0;
    cudaExtent extent = make_cudaExtent(c.w, c.h, c.d);
    bool deep = true;
    if (c.shape == Shape::D1) extent = make_cudaExtent(c.w, 0, 0), deep = false;
    if (c.shape == Shape::D2) extent = make_cudaExtent(c.w, c.h, 0), deep = false;
    if (c.shape == Shape::Layered1) extent = make_cudaExtent(c.w, 0, c.d), flags |= cudaArrayLayered;
    if (c.shape == Shape::Layered2) flags |= cudaArrayLayered;
    if (c.shape == Shape::Cube) extent.depth = 6, flags |= cudaArrayCubemap;
    if (c.shape == Shape::LayeredCube) extent.depth = 6 * c.d, flags |= cudaArrayCubemap | cudaArrayLayered;
    if (c.how == How::Gather) flags |= cudaArrayTextureGather;
    if (c.levels > 1) {
      CHECK(cudaMallocMipmappedArray(&t.mipmaps, &format, extent, c.levels, flags));
      for (int level = 0; level < c.levels; ++level) {
        cudaArray_t array;
        CHECK(cudaGetMipmappedArrayLevel(&array, t.mipmaps, level));
        auto smaller = [&](int n) { return n >> level > 0 ? n >> level : 1; };
        bool volume = c.shape == Shape::D3;
        copy_in(c, random, array, smaller(c.w), smaller(c.h), volume ? smaller(c.d) : static_cast<int>(extent.depth ? extent.depth : 1), deep);
      }
      resource.resType = cudaResourceTypeMipmappedArray;
      resource.res.mipmap.mipmap = t.mipmaps;
    } else {
      CHECK(cudaMalloc3DArray(&t.array, &format, extent, flags));
      copy_in(c, random, t.array, c.w, c.h, static_cast<int>(extent.depth ? extent.depth : 1), deep);
      resource.resType = cudaResourceTypeArray;
      resource.res.array.array = t.array;
    }
  }
  cudaTextureDesc desc{};
  for (auto& mode : desc.addressMode) mode = c.address;
  desc.filterMode = c.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  desc.readMode = c.as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  desc.normalizedCoords = c.normalized;
  desc.sRGB = c.srgb;
  const float border[] = {0.25f, 0.6f, -0.75f, 1.0f};
  std::memcpy(desc.borderColor, border, sizeof border);
  desc.mipmapFilterMode = c.mip_linear ? cudaFilterModeLinear : cudaFilterModePoint;
  desc.mipmapLevelBias = c.bias;
  desc.minMipmapLevelClamp = c.min_level, desc.maxMipmapLevelClamp = c.max_level;
  desc.maxAnisotropy = c.anisotropy;
  desc.seamlessCubemap = c.seamless;
  CHECK(cudaCreateTextureObject(&t.object, &resource, &desc, nullptr));
  return t;
}

void run(const Case& c, FILE* out) {
  Random random{0x9e3779b97f4a7c15ull};
  for (char letter : c.name) random.state = random.state * 31 + letter;
  Texture t = make_texture(c, random);
  std::vector<Coordinates> at = coordinates_of(c, random);
  Coordinates* at_device;
  uint32_t* results_device;
  std::vector<uint32_t> results(kSamples * 4);
  CHECK(cudaMalloc(&at_device, at.size() * sizeof at[0]));
  CHECK(cudaMalloc(&results_device, results.size() * 4));
  CHECK(cudaMemcpy(at_device, at.data(), at.size() * sizeof at[0], cudaMemcpyHostToDevice));
  if (c.format.kind == kF || c.as_float) sample<float4><<<kSamples / 128, 128>>>(t.object, c.shape, c.how, c.component, at_device, results_device);
  else if (c.format.kind == kU) sample<uint4><<<kSamples / 128, 128>>>(t.object, c.shape, c.how, c.component, at_device, results_device);
  else sample<int4><<<kSamples / 128, 128>>>(t.object, c.shape, c.how, c.component, at_device, results_device);
  CHECK(cudaMemcpy(results.data(), results_device, results.size() * 4, cudaMemcpyDeviceToHost));
  std::fprintf(out, "%s %d 4\n", c.name.c_str(), kSamples);
  std::fwrite(results.data(), 4, results.size(), out);
  CHECK(cudaDestroyTextureObject(t.object));
  if (t.array) CHECK(cudaFreeArray(t.array));
  if (t.mipmaps) CHECK(cudaFreeMipmappedArray(t.mipmaps));
  if (t.memory) CHECK(cudaFree(t.memory));
  CHECK(cudaFree(at_device));
  CHECK(cudaFree(results_device));
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  auto add = [&](Case c) { cases.push_back(std::move(c)); };
  const struct { const char* name; cudaTextureAddressMode mode; bool normalized; } kModes[] = {
      {"clamp", cudaAddressModeClamp, false},       {"border", cudaAddressModeBorder, false},
      {"nclamp", cudaAddressModeClamp, true},       {"nborder", cudaAddressModeBorder, true},
      {"wrap", cudaAddressModeWrap, true},          {"mirror", cudaAddressModeMirror, true}};
  const struct { const char* name; Where where; } kWheres[] = {
      {"random", Where::Random}, {"edges", Where::Edges}, {"special", Where::Special}, {"sweep", Where::Sweep}};
  // Addresses: 1-D and 2-D of f32, point and linear.
  for (auto& mode : kModes)
    for (auto& where : kWheres)
      for (int linear = 0; linear < 2; ++linear) {
        std::string tail = std::string(linear ? ".linear." : ".point.") + mode.name + "." + where.name;
        add({.name = "1d" + tail, .shape = Shape::D1, .w = 17, .linear = linear != 0, .normalized = mode.normalized, .address = mode.mode, .where = where.where});
        add({.name = "2d" + tail, .format = kF32x4, .w = 16, .h = 11, .linear = linear != 0, .normalized = mode.normalized, .address = mode.mode, .where = where.where});
      }
  // Formats.
  for (const Format& f : {kU8, kU8x2, kU8x4, kS8, kS8x4, kU16, kU16x4, kS16, kS16x2, kF16, kF16x4, kF32, kF32x2}) {
    bool as_float = f.kind != kF;
    std::string n = f.name;
    add({.name = "format.point." + n, .format = f, .w = 32, .h = 64, .as_float = as_float, .where = Where::Texels});
    add({.name = "format.linear." + n, .format = f, .w = 32, .h = 8, .linear = true, .as_float = as_float});
    add({.name = "format.linear.border." + n, .format = f, .w = 8, .h = 8, .linear = true, .as_float = as_float, .address = cudaAddressModeBorder});
    add({.name = "format.step." + n, .shape = Shape::D1, .format = f, .w = 4, .linear = true, .as_float = as_float, .where = Where::Sweep, .step_values = 1});
    add({.name = "format.1d." + n, .shape = Shape::D1, .format = f, .w = 32, .linear = true, .as_float = as_float, .where = Where::Sweep});
  }
  for (const Format& f : {kU8, kU8x4, kS8, kU16x4, kS16x2, kU32, kS32x4})
    add({.name = std::string("format.element.") + f.name, .format = f, .w = 16, .h = 8, .address = cudaAddressModeBorder});
  add({.name = "values.u8", .format = kU8, .w = 256, .h = 1, .as_float = true, .where = Where::Texels, .step_values = 2});
  add({.name = "values.s8", .format = kS8, .w = 256, .h = 1, .as_float = true, .where = Where::Texels, .step_values = 2});
  add({.name = "values.u16", .format = kU16, .w = 2048, .h = 1, .as_float = true, .where = Where::Texels});
  add({.name = "values.s16", .format = kS16, .w = 2048, .h = 1, .as_float = true, .where = Where::Texels});
  add({.name = "values.srgb", .format = kU8x4, .w = 256, .h = 1, .as_float = true, .srgb = true, .where = Where::Texels, .step_values = 2});
  add({.name = "srgb.linear", .format = kU8x4, .w = 16, .h = 8, .linear = true, .as_float = true, .srgb = true});
  // Other shapes.
  for (int linear = 0; linear < 2; ++linear)
    for (auto& mode : kModes) {
      std::string tail = std::string(linear ? ".linear." : ".point.") + mode.name;
      Case c{.linear = linear != 0, .normalized = mode.normalized, .address = mode.mode};
      c.name = "3d" + tail, c.shape = Shape::D3, c.w = 8, c.h = 7, c.d = 5;
      add(c);
      c.name = "layered1d" + tail, c.shape = Shape::Layered1, c.h = 1;
      add(c);
      c.name = "layered2d" + tail, c.shape = Shape::Layered2, c.h = 6;
      add(c);
      c.name = "pitch2d" + tail, c.shape = Shape::Pitch2, c.w = 16, c.h = 6, c.d = 1;
      add(c);
    }
  for (int linear = 0; linear < 2; ++linear)
    for (int seamless = 0; seamless < 2; ++seamless) {
      std::string tail = std::string(linear ? ".linear" : ".point") + (seamless ? ".seamless" : "");
      add({.name = "cube" + tail, .shape = Shape::Cube, .w = 8, .h = 8, .linear = linear != 0, .normalized = true, .seamless = seamless != 0});
      add({.name = "cube.wrap" + tail, .shape = Shape::Cube, .w = 8, .h = 8, .linear = linear != 0, .normalized = true, .address = cudaAddressModeWrap, .seamless = seamless != 0});
      add({.name = "layeredcube" + tail, .shape = Shape::LayeredCube, .w = 4, .h = 4, .d = 3, .linear = linear != 0, .normalized = true, .seamless = seamless != 0});
    }
  add({.name = "linear.f32", .shape = Shape::Linear, .w = 1000});
  add({.name = "linear.u8x4", .shape = Shape::Linear, .format = kU8x4, .w = 1000, .as_float = true});
  add({.name = "linear.edges", .shape = Shape::Linear, .w = 16, .where = Where::Edges});
  // Mipmaps.
  for (int linear = 0; linear < 2; ++linear)
    for (int mip = 0; mip < 2; ++mip) {
      std::string tail = std::string(linear ? ".linear" : ".point") + (mip ? ".miplinear" : ".mippoint");
      Case c{.format = kF32, .w = 32, .h = 16, .levels = 5, .linear = linear != 0, .normalized = true, .mip_linear = mip != 0, .address = cudaAddressModeWrap, .how = How::Lod};
      c.name = "lod" + tail;
      add(c);
      c.name = "lod.sweep" + tail, c.where = Where::Sweep;
      add(c);
      c.name = "lod.bias" + tail, c.bias = 0.7f, c.min_level = 0.3f, c.max_level = 2.6f;
      add(c);
      c.where = Where::Random, c.how = How::Fetch, c.name = "lod.fetch" + tail;
      add(c);
      c.how = How::Grad, c.bias = 0, c.min_level = 0, c.max_level = 100, c.name = "grad" + tail;
      add(c);
      c.name = "grad.1d" + tail, c.shape = Shape::D1, c.h = 1;
      add(c);
      c.name = "grad.3d" + tail, c.shape = Shape::D3, c.h = 16, c.d = 8;
      add(c);
      c.how = How::Lod, c.name = "lod.3d" + tail;
      add(c);
      c.shape = Shape::Layered2, c.name = "lod.layered2d" + tail;
      add(c);
    }
  add({.name = "lod.npot", .w = 21, .h = 13, .levels = 4, .linear = true, .normalized = true, .mip_linear = true, .how = How::Lod});
  add({.name = "grad.aniso", .w = 32, .h = 16, .levels = 5, .linear = true, .normalized = true, .mip_linear = true, .how = How::Grad, .anisotropy = 8});
  add({.name = "lod.one", .w = 32, .h = 16, .linear = true, .normalized = true, .how = How::Lod});
  for (int component = 0; component < 4; ++component) {
    std::string n(1, "rgba"[component]);
    add({.name = "gather." + n, .format = kF32x4, .w = 8, .h = 8, .how = How::Gather, .component = component});
    add({.name = "gather.edges." + n, .format = kU8x4, .w = 8, .h = 8, .normalized = true, .as_float = true, .address = cudaAddressModeWrap, .how = How::Gather, .where = Where::Edges, .component = component});
  }
  add({.name = "gather.sweep", .format = kF32, .w = 8, .h = 8, .how = How::Gather, .where = Where::Sweep});
  add({.name = "gather.border", .format = kF32x4, .w = 8, .h = 8, .address = cudaAddressModeBorder, .how = How::Gather});
  add({.name = "gather.linear.u8x4", .format = kU8x4, .w = 8, .h = 8, .linear = true, .as_float = true, .how = How::Gather});
  return cases;
}

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: texture_samples FILE [part of a name]\n"), 2;
  FILE* out = std::fopen(argv[1], "wb");
  if (!out) return std::perror(argv[1]), 1;
  int count = 0;
  for (const Case& c : all_cases()) {
    if (argc > 2 && c.name.find(argv[2]) == std::string::npos) continue;
    try {
      run(c, out);
      ++count;
    } catch (const std::runtime_error& error) {  // part of the answer: a device refuses some combinations
      std::fprintf(out, "%s 0 %s\n", c.name.c_str(), error.what());
      cudaGetLastError();
    }
  }
  std::fclose(out);
  std::printf("%d cases\n", count);
  return 0;
}
