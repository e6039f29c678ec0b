#include "gpu_step.h"

#include <cmath>
#include <utility>

namespace mnist {

GpuStep::GpuStep(int batch)
    : batch_(batch), weights_(kParameterCount), gradients_(kParameterCount), logits_(size_t(batch) * kClasses), losses_(kSlots + 1) {
  MNIST_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  MNIST_CHECK(cudaMemset(gradients_, 0, gradients_.bytes()));
  MNIST_CHECK(cudaDeviceSynchronize());
}

GpuStep::~GpuStep() {
  cudaStreamSynchronize(stream_);
  cudaStreamDestroy(stream_);
}

void GpuStep::set_images(const Images& images) {
  MNIST_CHECK(cudaStreamSynchronize(stream_));
  pixels_ = Buffer<uint8_t>(images.pixels);
  labels_ = Buffer<uint8_t>(images.labels);
}

void GpuStep::set_order(const std::vector<int>& order) {
  MNIST_CHECK(cudaStreamSynchronize(stream_));
  if (order_.count() != order.size()) order_ = Buffer<int>(order.size());
  order_.upload(order);
}

Batch GpuStep::batch_at(int first, int slot) const {
  if (first < 0 || size_t(first) + batch_ > order_.count())
    fail("a batch of %d images from number %d on: there are only %zu", batch_, first, order_.count());
  return {pixels_, labels_, order_ + first, losses_ + slot};
}

void GpuStep::train(int first, int count, float rate) {
  for (int s = 0; s < count; ++s) {
    if (slot_ == kSlots) {
      std::vector<float> full = losses();
      past_losses_ = std::move(full);
    }
    Batch batch = batch_at(first + s * batch_, slot_++);
    forward(batch);
    backward(batch);
    update(rate);
  }
}

std::vector<float> GpuStep::losses() {
  std::vector<float> all = std::exchange(past_losses_, {});
  std::vector<float> recent = settled(losses_).download(size_t(std::exchange(slot_, 0)));
  all.insert(all.end(), recent.begin(), recent.end());
  return all;
}

std::vector<float> GpuStep::scores(int first) {
  forward(batch_at(first, kSlots));
  return settled(logits_).download();
}

std::string GpuStep::first_bad_layer() {
  MNIST_CHECK(cudaStreamSynchronize(stream_));
  for (const Layer& layer : layers())
    for (float v : layer.values->download())
      if (!std::isfinite(v)) return layer.name;
  return "";
}

}  // namespace mnist
