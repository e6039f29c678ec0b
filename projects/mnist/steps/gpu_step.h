// What all steps on the GPU share: parameters, gradients and the data set in device memory, the order of the images, the
// list of losses. A step implements the forward pass, the backward pass and the update; everything is enqueued on one
// stream.
#pragma once

#include "device.h"
#include "step.h"

namespace mnist {

// One batch, as kernels see it: image i of the batch is picture order[i] of the data set.
struct Batch {
  const uint8_t* pixels;
  const uint8_t* labels;
  const int* order;
  float* loss;  // where the mean loss of this batch goes
};

struct Pictures {  // the shape of a batch of pictures: images × channels × side × side
  int images, channels, side;
  __host__ __device__ int plane() const { return side * side; }
  __host__ __device__ size_t count() const { return size_t(images) * channels * side * side; }
};

class GpuStep : public Step {
 public:
  explicit GpuStep(int batch);
  ~GpuStep() override;

  void set_parameters(const std::vector<float>& values) override { weights_.upload(values); }
  std::vector<float> parameters() override { return settled(weights_).download(); }
  std::vector<float> gradients() override { return settled(gradients_).download(); }
  void set_images(const Images& images) override;
  void set_order(const std::vector<int>& order) override;
  void train(int first, int count, float rate) override;
  std::vector<float> losses() override;
  std::vector<float> scores(int first) override;
  std::string first_bad_layer() override;

 protected:
  virtual void forward(const Batch& batch) = 0;  // ends with scores in logits_, and their loss
  virtual void backward(const Batch& batch) = 0;  // gradients_, from what forward left
  virtual void update(float rate) = 0;

  // The values that first_bad_layer looks at, in the order of the network.
  struct Layer {
    const char* name;
    const Buffer<float>* values;
  };
  virtual std::vector<Layer> layers() = 0;

  Batch batch_at(int first, int slot) const;
  template <Parameter P>
  float* weight() const { return weights_ + kAt<P>; }
  template <Parameter P>
  float* gradient() const { return gradients_ + kAt<P>; }
  template <class T>
  Buffer<T>& settled(Buffer<T>& buffer) {
    MNIST_CHECK(cudaStreamSynchronize(stream_));
    return buffer;
  }

  static constexpr int kSlots = 1024;  // losses that are kept on the device; one more slot is never read

  int batch_;
  cudaStream_t stream_ = nullptr;
  Buffer<float> weights_, gradients_, logits_, losses_;
  Buffer<uint8_t> pixels_, labels_;
  Buffer<int> order_;
  int slot_ = 0;
  std::vector<float> past_losses_;
};

}  // namespace mnist
