// Step 6. The kernels of step 5 without the time between them. A training step is captured once into a CUDA graph. The
// device itself counts which images are next and where the loss goes, so the same graph runs again and again without
// the CPU. The two gradients of weights that only the update needs become a branch of their own, beside the backward
// pass to conv1.
//
//     take ─ moments ─ conv1 ─ conv2 ─ linear1 ─ head ─┬─ linear1 back ─ sums ─┬─ conv2 back ─ conv1's gradient ─┬─ update
//                                                      └─ linear1's gradient ──┴─ conv2's gradient ──────────────┘
//
// Expected: at batch 512, a step is 27 kernels of a few microseconds, and a launch costs the CPU about as much time as
// the kernel takes. In a graph, the gaps shrink to about one microsecond. At batch 4096 the gaps were hidden already,
// so little changes.
//
// Measured on an H200: 229 → 203 µs at batch 512 in bf16, 966 → 917 µs at 4096.
#include "exact_step.cuh"

namespace mnist {
namespace {

// Copies the order of the next batch to where the graph's kernels look for it.
struct Progress {
  int first, slot;  // of the order; of the losses
};
__global__ void take_kernel(const int* order, const Progress* progress, int batch, int* current) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < batch) current[i] = order[progress->first + i];
}
__global__ void advance_kernel(const float* loss, float* losses, int batch, Progress* progress) {
  losses[progress->slot] = *loss;
  progress->first += batch;
  progress->slot += 1;
}

template <class P>
class Graphed : public ExactStep<P> {
  using Base = ExactStep<P>;
  using Base::batch_, Base::stream_, Base::side_;

 public:
  explicit Graphed(int batch) : Base(batch), current_(batch), progress_(1), loss_(1) {
    MNIST_CHECK(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    MNIST_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  }
  ~Graphed() override {
    cudaStreamSynchronize(stream_);
    drop_graph();
    cudaEventDestroy(event_);
    cudaStreamDestroy(side_);
  }

  void set_images(const Images& images) override {
    Base::set_images(images);
    drop_graph();
  }
  void set_order(const std::vector<int>& order) override {
    Base::set_order(order);
    drop_graph();  // the order may lie elsewhere now
  }

  void train(int first, int count, float rate) override {
    if (count <= 0) return;
    Base::batch_at(first + (count - 1) * batch_, 0);  // throws where there are not so many images
    if (graph_ && rate != rate_) drop_graph();
    if (!graph_) capture(rate);
    while (count > 0) {
      int now = std::min(count, GpuStep::kSlots - this->slot_);
      if (now == 0) {
        std::vector<float> full = Base::losses();
        this->past_losses_ = std::move(full);
        continue;
      }
      Progress start{first, this->slot_};
      MNIST_CHECK(cudaMemcpyAsync(progress_, &start, sizeof start, cudaMemcpyHostToDevice, stream_));
      for (int s = 0; s < now; ++s) MNIST_CHECK(cudaGraphLaunch(graph_, stream_));
      this->slot_ += now;
      first += now * batch_;
      count -= now;
    }
  }

 protected:
  void fork() override {
    MNIST_CHECK(cudaEventRecord(event_, stream_));
    MNIST_CHECK(cudaStreamWaitEvent(side_, event_, 0));
  }
  void join() override {
    MNIST_CHECK(cudaEventRecord(event_, side_));
    MNIST_CHECK(cudaStreamWaitEvent(stream_, event_, 0));
  }

 private:
  void capture(float rate) {
    cudaGraph_t graph;
    MNIST_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    take_kernel<<<blocks_for(size_t(batch_), 256), 256, 0, stream_>>>(this->order_, progress_, batch_, current_);
    Batch batch{this->pixels_, this->labels_, current_, loss_};
    this->forward(batch);
    this->backward(batch);
    this->update(rate);
    advance_kernel<<<1, 1, 0, stream_>>>(loss_, this->losses_, batch_, progress_);
    MNIST_CHECK(cudaStreamEndCapture(stream_, &graph));
    MNIST_CHECK(cudaGraphInstantiate(&graph_, graph, 0));
    MNIST_CHECK(cudaGraphDestroy(graph));
    rate_ = rate;
  }
  void drop_graph() {
    if (graph_) cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
  }

  Buffer<int> current_;
  Buffer<Progress> progress_;
  Buffer<float> loss_;
  cudaEvent_t event_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
  float rate_ = 0;
};

}  // namespace

std::unique_ptr<Step> make_step6(int batch, Precision precision) { return make_tensor_step<Graphed>(batch, precision); }

}  // namespace mnist
