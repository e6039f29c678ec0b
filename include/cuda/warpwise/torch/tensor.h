// What a kernel's host code uses of PyTorch's C++ interface, without PyTorch: tensors that are shapes and memory. A source
// that `warpwise.torch.load_inline` compiles finds these headers in the place of torch/extension.h, which takes half a
// minute to compile, and this one a tenth of a second.
//
//     torch::Tensor square(torch::Tensor x) {
//       auto y = torch::empty_like(x);
//       square_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
//       return y;
//     }
//
// Python makes the arguments and takes the result apart (python/warpwise/torch/_inline.py). On the virtual GPU the memory is
// pinned, so host and kernels use it at one address. On a real one it is the GPU's own: arguments stay where PyTorch has
// them, and only kernels use it. There are no operators on tensors: what is not here does not compile, and Clang names it.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace c10 {

// The numbers of PyTorch, which Python uses, too.
enum class ScalarType : int8_t { Byte, Char, Short, Int, Long, Half, Float, Double, Bool = 11, BFloat16 = 15 };

constexpr int64_t elementSize(ScalarType type) {
  return type == ScalarType::Byte || type == ScalarType::Char || type == ScalarType::Bool        ? 1
         : type == ScalarType::Short || type == ScalarType::Half || type == ScalarType::BFloat16 ? 2
         : type == ScalarType::Int || type == ScalarType::Float                                  ? 4
                                                                                                 : 8;
}

inline const char* toString(ScalarType type) {
  switch (type) {
    case ScalarType::Byte: return "Byte";
    case ScalarType::Char: return "Char";
    case ScalarType::Short: return "Short";
    case ScalarType::Int: return "Int";
    case ScalarType::Long: return "Long";
    case ScalarType::Half: return "Half";
    case ScalarType::Float: return "Float";
    case ScalarType::Double: return "Double";
    case ScalarType::Bool: return "Bool";
    case ScalarType::BFloat16: return "BFloat16";
  }
  return "unknown";
}

template <class T>
struct TypeNumber;
#define WARPWISE_TORCH_TYPE(type, number) \
  template <>                             \
  struct TypeNumber<type> {               \
    static constexpr ScalarType kType = ScalarType::number; \
  };
WARPWISE_TORCH_TYPE(uint8_t, Byte)
WARPWISE_TORCH_TYPE(int8_t, Char)
WARPWISE_TORCH_TYPE(int16_t, Short)
WARPWISE_TORCH_TYPE(int32_t, Int)
WARPWISE_TORCH_TYPE(int64_t, Long)
WARPWISE_TORCH_TYPE(__half, Half)
WARPWISE_TORCH_TYPE(float, Float)
WARPWISE_TORCH_TYPE(double, Double)
WARPWISE_TORCH_TYPE(bool, Bool)
WARPWISE_TORCH_TYPE(__nv_bfloat16, BFloat16)
#undef WARPWISE_TORCH_TYPE

using Half = __half;
using BFloat16 = __nv_bfloat16;
using IntArrayRef = std::vector<int64_t>;

template <class... Words>
[[noreturn]] void fail(const Words&... words) {
  std::ostringstream text;
  (void)std::initializer_list<int>{(text << words, 0)...};
  throw std::runtime_error(text.str());
}

// What TORCH_CHECK throws: its own words where it has some.
[[noreturn]] inline void fail_check(const char* condition) { fail("expected ", condition, " to be true, but it is not"); }
template <class... Words>
[[noreturn]] void fail_check(const char*, const Words&... words) {
  fail(words...);
}

enum class DeviceType : int8_t { CPU, CUDA };
struct Device {
  DeviceType type_ = DeviceType::CUDA;
  int index_ = 0;
  Device() = default;
  Device(DeviceType type, int index = 0) : type_(type), index_(index) {}
  DeviceType type() const { return type_; }
  int index() const { return index_; }
  bool is_cuda() const { return type_ == DeviceType::CUDA; }
  bool is_cpu() const { return type_ == DeviceType::CPU; }
  friend bool operator==(const Device& a, const Device& b) { return a.type_ == b.type_ && a.index_ == b.index_; }
};

struct TensorOptions {
  ScalarType type = ScalarType::Float;
  TensorOptions() = default;
  TensorOptions(ScalarType t) : type(t) {}
  TensorOptions dtype(ScalarType t) const { return {t}; }
  // All tensors are where kernels reach them.
  template <class Where>
  TensorOptions device(const Where&, int = 0) const {
    return *this;
  }
  TensorOptions requires_grad(bool) const { return *this; }
};

}  // namespace c10

namespace at {

using namespace c10;

// Whose a tensor's memory is: pinned memory of the host; memory of the GPU that a call runs on; or not ours to free.
enum class Memory : int64_t { Pinned, Gpu, Borrowed };
// Of the tensors that a call makes. Python sets it.
inline thread_local Memory memory_of_call = Memory::Pinned;

// Read and written by Python: plain data with a fixed layout.
struct TensorStorage {
  static constexpr int kMostDimensions = 8;
  void* data;
  int64_t uses;
  int64_t type;
  int64_t dimensions;
  int64_t sizes[kMostDimensions];
  int64_t strides[kMostDimensions];
  Memory memory;
};

class Tensor {
 public:
  Tensor() = default;
  Tensor(const Tensor& other) : storage_(other.storage_) {
    if (storage_) ++storage_->uses;
  }
  Tensor& operator=(const Tensor& other) {
    Tensor copy(other);
    std::swap(storage_, copy.storage_);
    return *this;
  }
  ~Tensor() { release(storage_); }

  static TensorStorage* describe(ScalarType type, const IntArrayRef& sizes, Memory memory) {
    if (sizes.size() > TensorStorage::kMostDimensions) fail("a tensor of more than 8 dimensions");
    auto* storage = new TensorStorage{nullptr, 1, int64_t(type), int64_t(sizes.size()), {}, {}, memory};
    int64_t count = 1;
    for (size_t i = sizes.size(); i-- > 0; count *= sizes[i]) storage->sizes[i] = sizes[i], storage->strides[i] = count;
    return storage;
  }
  static TensorStorage* make(ScalarType type, const IntArrayRef& sizes) {
    TensorStorage* storage = describe(type, sizes, memory_of_call);
    size_t bytes = size_t(elementSize(type));
    for (const int64_t size : sizes) bytes *= size_t(size);
    if (bytes > 0 && allocate(*storage, bytes) != cudaSuccess) {
      delete storage;
      fail("no memory for a tensor of ", bytes, " bytes");
    }
    return storage;
  }
  static void release(TensorStorage* storage) {
    if (!storage || --storage->uses > 0) return;
    if (storage->data && free(*storage) != cudaSuccess) cudaGetLastError();  // the GPU is a new one
    delete storage;
  }
  static Tensor of(ScalarType type, const IntArrayRef& sizes) {
    Tensor made;
    made.storage_ = make(type, sizes);
    return made;
  }

  bool defined() const { return storage_ != nullptr; }
  int64_t dim() const { return storage_->dimensions; }
  int64_t ndimension() const { return dim(); }
  int64_t size(int64_t i) const { return storage_->sizes[wrapped(i)]; }
  int64_t stride(int64_t i) const { return storage_->strides[wrapped(i)]; }
  IntArrayRef sizes() const { return {storage_->sizes, storage_->sizes + dim()}; }
  IntArrayRef strides() const { return {storage_->strides, storage_->strides + dim()}; }
  int64_t numel() const {
    int64_t count = 1;
    for (int64_t i = 0; i < dim(); ++i) count *= storage_->sizes[i];
    return count;
  }
  int64_t element_size() const { return elementSize(scalar_type()); }
  size_t nbytes() const { return size_t(numel() * element_size()); }

  ScalarType scalar_type() const { return ScalarType(storage_->type); }
  ScalarType dtype() const { return scalar_type(); }
  ScalarType type() const { return scalar_type(); }
  TensorOptions options() const { return {scalar_type()}; }
  Device device() const { return {}; }
  int64_t get_device() const { return 0; }
  bool is_cuda() const { return true; }
  bool is_contiguous() const { return true; }
  Tensor contiguous() const { return *this; }

  void* data_ptr() const { return storage_->data; }
  template <class T>
  T* data_ptr() const {
    if (TypeNumber<T>::kType != scalar_type())
      fail("expected scalar type ", toString(TypeNumber<T>::kType), " but found ", toString(scalar_type()));
    return static_cast<T*>(storage_->data);
  }
  template <class T>
  T* data() const {
    return data_ptr<T>();
  }
  template <class T>
  const T* const_data_ptr() const {
    return data_ptr<T>();
  }
  template <class T>
  T* mutable_data_ptr() const {
    return data_ptr<T>();
  }

  // Behind what runs on the GPU. Pinned memory the host may look at as soon as this returns.
  Tensor& zero_() {
    if (storage_->data) settle(cudaMemsetAsync(storage_->data, 0, nbytes(), nullptr));
    return *this;
  }
  Tensor clone() const {
    Tensor copy = of(scalar_type(), sizes());
    if (storage_->data)
      copy.settle(cudaMemcpyAsync(copy.storage_->data, storage_->data, nbytes(), cudaMemcpyDefault, nullptr));
    return copy;
  }

 private:
  static cudaError_t allocate(TensorStorage& storage, size_t bytes) {
    return storage.memory == Memory::Gpu ? cudaMallocAsync(&storage.data, bytes, nullptr)
                                         : cudaMallocHost(&storage.data, bytes);
  }
  static cudaError_t free(const TensorStorage& storage) {
    switch (storage.memory) {
      case Memory::Pinned: return cudaFreeHost(storage.data);
      case Memory::Gpu: return cudaFreeAsync(storage.data, nullptr);
      case Memory::Borrowed: return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  }
  void settle(cudaError_t error) const {
    if (error == cudaSuccess && storage_->memory == Memory::Pinned) error = cudaDeviceSynchronize();
    if (error != cudaSuccess) fail(cudaGetErrorString(error));
  }
  int64_t wrapped(int64_t i) const {
    if (i < -dim() || i >= dim()) fail("dimension ", i, " of a tensor of ", dim());
    return i < 0 ? i + dim() : i;
  }

  TensorStorage* storage_ = nullptr;
};

inline Tensor empty(const IntArrayRef& sizes, TensorOptions options = {}) { return Tensor::of(options.type, sizes); }
inline Tensor zeros(const IntArrayRef& sizes, TensorOptions options = {}) { return empty(sizes, options).zero_(); }
inline Tensor empty_like(const Tensor& like) { return empty(like.sizes(), like.options()); }
inline Tensor empty_like(const Tensor& like, TensorOptions options) { return empty(like.sizes(), options); }
inline Tensor zeros_like(const Tensor& like) { return zeros(like.sizes(), like.options()); }
inline Tensor zeros_like(const Tensor& like, TensorOptions options) { return zeros(like.sizes(), options); }

namespace cuda {
inline cudaStream_t getCurrentCUDAStream(int = 0) { return nullptr; }
struct CUDAGuard {
  explicit CUDAGuard(const Device&) {}
};
using OptionalCUDAGuard = CUDAGuard;
}  // namespace cuda

constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = ScalarType::Byte, kChar = ScalarType::Char,
                     kInt8 = ScalarType::Char, kShort = ScalarType::Short, kInt16 = ScalarType::Short,
                     kInt = ScalarType::Int, kInt32 = ScalarType::Int, kLong = ScalarType::Long,
                     kInt64 = ScalarType::Long, kHalf = ScalarType::Half, kFloat16 = ScalarType::Half,
                     kFloat = ScalarType::Float, kFloat32 = ScalarType::Float, kDouble = ScalarType::Double,
                     kFloat64 = ScalarType::Double, kBool = ScalarType::Bool, kBFloat16 = ScalarType::BFloat16;
constexpr DeviceType kCUDA = DeviceType::CUDA, kCPU = DeviceType::CPU;

}  // namespace at

namespace c10 {
namespace cuda {
using at::cuda::CUDAGuard;
using at::cuda::getCurrentCUDAStream;
using at::cuda::OptionalCUDAGuard;
}  // namespace cuda
}  // namespace c10

namespace torch {
using namespace at;
using namespace c10;
inline TensorOptions dtype(ScalarType type) { return {type}; }
template <class Where>
TensorOptions device(const Where&, int = 0) {
  return {};
}
}  // namespace torch

#define TORCH_CHECK(condition, ...)                                            \
  do {                                                                         \
    if (!(condition)) ::c10::fail_check(#condition, ##__VA_ARGS__);            \
  } while (false)
#define TORCH_INTERNAL_ASSERT TORCH_CHECK
#define AT_ASSERTM TORCH_CHECK
#define C10_CUDA_CHECK(call)                                                                \
  do {                                                                                      \
    if (cudaError_t error = (call); error != cudaSuccess) ::c10::fail(cudaGetErrorString(error)); \
  } while (false)
#define AT_CUDA_CHECK C10_CUDA_CHECK
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())

#define WARPWISE_TORCH_CASE(number, type, ...)    \
  case ::c10::ScalarType::number: {               \
    using scalar_t = type;                        \
    __VA_ARGS__();                                \
    break;                                        \
  }
#define WARPWISE_TORCH_SWITCH(TYPE, NAME, CASES)                                                           \
  [&] {                                                                                                    \
    switch (TYPE) {                                                                                        \
      CASES default : ::c10::fail("\"", NAME, "\" not implemented for '", ::c10::toString(TYPE), "'");     \
    }                                                                                                      \
  }()
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                                                              \
  WARPWISE_TORCH_SWITCH(TYPE, NAME, WARPWISE_TORCH_CASE(Float, float, __VA_ARGS__)                               \
                                        WARPWISE_TORCH_CASE(Double, double, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...)                                                     \
  WARPWISE_TORCH_SWITCH(TYPE, NAME, WARPWISE_TORCH_CASE(Float, float, __VA_ARGS__)                               \
                                        WARPWISE_TORCH_CASE(Double, double, __VA_ARGS__)                         \
                                            WARPWISE_TORCH_CASE(Half, __half, __VA_ARGS__))

// Bindings that a source makes itself: load_inline makes them of `functions`.
#define TORCH_EXTENSION_NAME warpwise_extension
#define PYBIND11_MODULE(name, variable) \
  template <class Bindings>             \
  static void name##_bindings(Bindings& variable)

// For Python: a tensor to fill, one around memory of others, and the end of one; and where a call's memory is.
inline uint64_t warpwise_tensor_make(int type, int dimensions, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e,
                                     int64_t f, int64_t g, int64_t h) {
  const int64_t sizes[] = {a, b, c, d, e, f, g, h};
  return reinterpret_cast<uint64_t>(at::Tensor::make(c10::ScalarType(type), {sizes, sizes + dimensions}));
}
inline uint64_t warpwise_tensor_borrow(uint64_t data, int type, int dimensions, int64_t a, int64_t b, int64_t c, int64_t d,
                                       int64_t e, int64_t f, int64_t g, int64_t h) {
  const int64_t sizes[] = {a, b, c, d, e, f, g, h};
  auto* storage = at::Tensor::describe(c10::ScalarType(type), {sizes, sizes + dimensions}, at::Memory::Borrowed);
  storage->data = reinterpret_cast<void*>(data);
  return reinterpret_cast<uint64_t>(storage);
}
inline void warpwise_tensor_release(uint64_t storage) {
  at::Tensor::release(reinterpret_cast<at::TensorStorage*>(storage));
}
inline void warpwise_tensor_memory(int64_t memory) { at::memory_of_call = at::Memory(memory); }
