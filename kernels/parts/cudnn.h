// The little of cuDNN that a peer calls (cuDNN backend API: cudnnBackendCreateDescriptor and its neighbours).
//
// A computation is a graph of operations on tensors. Tensors that only the graph itself sees are virtual. A heuristic
// names engines that can run the whole graph as a kernel, the best first; a plan is one of them made ready.
//
//     cudnn::Graph graph;
//     int x = graph.tensor(...), y = graph.tensor(...);
//     graph.pointwise(...);
//     graph.plan();
//     graph.run({{x, pointer}, {y, pointer}});
//
// Everything is a descriptor with numbered attributes. The numbers are those of cudnn_graph.h.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "library.h"

namespace cudnn {

enum Kind {  // cudnnBackendDescriptorType_t
  kPointwise = 0,
  kEngineConfig = 3,
  kHeuristic = 4,
  kPlan = 5,
  kPointwiseOperation = 13,
  kGraph = 15,
  kArguments = 16,
  kTensor = 17,
  kProduct = 18,
  kProductOperation = 19,
  kReduction = 21,
  kReductionOperation = 22,
};

enum Type {
  kHandle = 0,
  kDataType = 1,
  kBoolean = 2,
  kInt64 = 3,
  kPointer = 6,
  kHeuristicMode = 8,
  kPointwiseMode = 14,
  kDescriptor = 15,
  kReductionMode = 18
};  // cudnnBackendAttributeType_t
enum DataType { kFloat = 0, kInt32 = 4, kBfloat16 = 9, kTruth = 11 };  // cudnnDataType_t
enum Mode {                                                            // cudnnPointwiseMode_t
  kPlus = 0,
  kMultiply = 1,
  kDivide = 6,
  kSubtract = 9,
  kExponential = 13,
  kLogarithm = 15,
  kNotLess = 303,
  kIndex = 501,
  kSelect = 601,
};
enum Reduction { kAdd = 0, kMost = 3 };  // cudnnReduceTensorOp_t
constexpr int kModeA = 3;                // cudnnBackendHeurMode_t: CUDNN_HEUR_MODE_A

class Api {
 public:
  void* handle = nullptr;
  int (*create)(int, void**);
  int (*destroy)(void*);
  int (*set)(void*, int, int, int64_t, const void*);
  int (*get)(void*, int, int, int64_t, int64_t*, void*);
  int (*finalize)(void*);
  int (*execute)(void*, void*, void*);
  void (*last_error)(char*, size_t);

  // Opened with the first call, which is not timed.
  static const Api& get_it() {
    static const Api api;
    return api;
  }
  void must(int status, const char* what) const {
    if (status == 0) return;
    char message[2000] = "";
    last_error(message, sizeof(message));
    std::fprintf(stderr, "cuDNN: %s: status %d: %s\n", what, status, message);
    std::exit(1);
  }

 private:
  Api() {
    cudaFree(nullptr);
    const Library library({"libcudnn.so.9"});
    create = library.function<int(int, void**)>("cudnnBackendCreateDescriptor");
    destroy = library.function<int(void*)>("cudnnBackendDestroyDescriptor");
    set = library.function<int(void*, int, int, int64_t, const void*)>("cudnnBackendSetAttribute");
    get = library.function<int(void*, int, int, int64_t, int64_t*, void*)>("cudnnBackendGetAttribute");
    finalize = library.function<int(void*)>("cudnnBackendFinalize");
    execute = library.function<int(void*, void*, void*)>("cudnnBackendExecute");
    last_error = library.function<void(char*, size_t)>("cudnnGetLastErrorString");
    open_nvrtc();
    must(library.function<int(void**)>("cudnnCreate")(&handle), "cudnnCreate");
  }

  // cuDNN compiles its kernels by NVRTC and looks for it by name. Warpwise's own has that name and comes first on the
  // search path of programs that it starts; a library that is there already comes before both.
  void open_nvrtc() const {
    Dl_info here{};
    if (!dladdr(reinterpret_cast<void*>(create), &here) || !here.dli_fname) return;
    const std::string file = here.dli_fname, folder = file.substr(0, file.rfind('/') + 1);
    for (const char* place : {"", "../../cu13/lib/", "../../cuda_nvrtc/lib/"})
      for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"})
        if (dlopen((folder + place + name).c_str(), RTLD_NOW | RTLD_LOCAL)) return;
    for (const char* name : {"/usr/local/cuda/lib64/libnvrtc.so.13", "/usr/local/cuda/lib64/libnvrtc.so.12"})
      if (dlopen(name, RTLD_NOW | RTLD_LOCAL)) return;
  }
};

// Lives as long as the process, as plans do, unless it is destroyed.
class Descriptor {
 public:
  explicit Descriptor(Kind kind) : kind_(kind) { Api::get_it().must(Api::get_it().create(kind, &it_), "create"); }

  template <class Value>
  Descriptor& set(int attribute, Type type, const Value& value) {
    return set(attribute, type, &value, 1);
  }
  template <class Value>
  Descriptor& set(int attribute, Type type, const Value* values, int64_t count) {
    char what[64];
    std::snprintf(what, sizeof(what), "descriptor %d, attribute %d", kind_, attribute);
    Api::get_it().must(Api::get_it().set(it_, attribute, type, count, values), what);
    return *this;
  }
  Descriptor& set(int attribute, const Descriptor& other) { return set(attribute, kDescriptor, other.it_); }
  Descriptor& finish() {
    char what[64];
    std::snprintf(what, sizeof(what), "descriptor %d", kind_);
    Api::get_it().must(Api::get_it().finalize(it_), what);
    return *this;
  }
  bool can_finish() { return Api::get_it().finalize(it_) == 0; }
  void* get() const { return it_; }

 private:
  Kind kind_;
  void* it_ = nullptr;
};

using Size = std::array<int64_t, 4>;

// Rows one behind the other.
inline Size packed(const Size& size) { return {size[1] * size[2] * size[3], size[2] * size[3], size[3], 1}; }

class Graph {
 public:
  // What the caller passes with `run`; virtual ones are named by their numbers, too.
  int tensor(DataType type, const Size& size, const Size& strides) { return add(type, size, strides, false, false); }
  int number(DataType type) { return add(type, {1, 1, 1, 1}, {1, 1, 1, 1}, false, true); }
  int inside(DataType type, const Size& size) { return add(type, size, packed(size), true, false); }

  void product(int a, int b, int c) {
    Descriptor how(kProduct);
    how.set(1500, kDataType, kFloat).finish();
    Descriptor it(kProductOperation);
    it.set(1520, tensors_[a]).set(1521, tensors_[b]).set(1522, tensors_[c]).set(1523, how).finish();
    operations_.push_back(it.get());
  }
  void reduce(Reduction mode, int x, int y) {
    Descriptor how(kReduction);
    how.set(1600, kReductionMode, mode).set(1601, kDataType, kFloat).finish();
    Descriptor it(kReductionOperation);
    it.set(1610, tensors_[x]).set(1611, tensors_[y]).set(1612, how).finish();
    operations_.push_back(it.get());
  }
  // y = mode(x, b): -1 where there is no b. `condition` is what kSelect asks; `axis` is what kIndex counts along.
  void pointwise(Mode mode, int x, int b, int y, int condition = -1, int64_t axis = -1) {
    Descriptor how(kPointwise);
    how.set(0, kPointwiseMode, mode).set(1, kDataType, mode == kNotLess ? kTruth : kFloat);
    if (axis >= 0) how.set(9, kInt64, axis);
    Descriptor it(kPointwiseOperation);
    it.set(750, how.finish()).set(751, tensors_[x]).set(753, tensors_[y]);
    if (b >= 0) it.set(752, tensors_[b]);
    if (condition >= 0) it.set(758, tensors_[condition]);
    operations_.push_back(it.finish().get());
  }

  // By the first engine of the heuristic's that takes the graph on this GPU.
  void plan() {
    const Api& api = Api::get_it();
    Descriptor graph(kGraph), heuristic(kHeuristic);
    graph.set(800, kHandle, api.handle).set(801, kDescriptor, operations_.data(), int64_t(operations_.size())).finish();
    heuristic.set(200, kHeuristicMode, kModeA).set(201, graph).finish();
    int64_t count = 0;
    api.must(api.get(heuristic.get(), 202, kDescriptor, 0, &count, nullptr), "engines");
    std::vector<void*> found;
    for (int64_t i = 0; i < count; ++i) found.push_back(Descriptor(kEngineConfig).get());
    api.must(api.get(heuristic.get(), 202, kDescriptor, count, &count, found.data()), "engines");
    for (int64_t i = 0; i < count; ++i) {
      Descriptor plan(kPlan);
      plan.set(400, kHandle, api.handle).set(401, kDescriptor, found[size_t(i)]);
      if (!plan.can_finish()) continue;
      plan_ = plan.get();
      int64_t bytes = 0, one = 0;
      api.must(api.get(plan_, 402, kInt64, 1, &one, &bytes), "bytes of a plan");
      if (bytes && cudaMalloc(&room_, size_t(bytes)) != cudaSuccess) api.must(-1, "memory");
      return;
    }
    api.must(-1, "no engine takes the graph");
  }

  void run(const std::vector<std::pair<int, const void*>>& arguments) const {
    std::vector<int64_t> numbers;
    std::vector<const void*> pointers;
    for (const auto& [tensor, pointer] : arguments) numbers.push_back(tensor + 1), pointers.push_back(pointer);
    Descriptor all(kArguments);
    all.set(1000, kInt64, numbers.data(), int64_t(numbers.size()));
    all.set(1001, kPointer, pointers.data(), int64_t(pointers.size()));
    all.set(1003, kPointer, room_).finish();
    Api::get_it().must(Api::get_it().execute(Api::get_it().handle, plan_, all.get()), "cudnnBackendExecute");
    Api::get_it().destroy(all.get());
  }

 private:
  int add(DataType type, const Size& size, const Size& strides, bool is_virtual, bool by_value) {
    const int64_t number = int64_t(tensors_.size()) + 1, alignment = 16;
    Descriptor tensor(kTensor);
    tensor.set(901, kDataType, type).set(902, kInt64, size.data(), 4).set(903, kInt64, strides.data(), 4);
    tensor.set(906, kInt64, number).set(900, kInt64, alignment);
    if (is_virtual) tensor.set(907, kBoolean, is_virtual);
    if (by_value) tensor.set(908, kBoolean, by_value);
    tensors_.push_back(tensor.finish());
    return int(number) - 1;
  }

  std::vector<Descriptor> tensors_;
  std::vector<void*> operations_;
  void *plan_ = nullptr, *room_ = nullptr;
};

}  // namespace cudnn
