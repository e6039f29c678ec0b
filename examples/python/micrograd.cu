// An engine of automatic differentiation for scalars: the nodes of an expression, level by level (micrograd.py).
//
// Nodes of one level depend on earlier levels alone, so a launch computes all of them, each for every sample of a
// batch. Backwards the levels run from the last to the first. A node hands its gradient to its operands by atomic
// additions, because several nodes of a level may share one.
#ifndef REAL
#define REAL float
#endif

enum Operation { kLeaf, kAdd, kMultiply, kPower, kTanh, kRelu };

struct Nodes {
  const int *operation, *left, *right;
  const REAL* constant;  // of a power: its exponent
  int batch;
};

__device__ REAL power(REAL x, REAL exponent) { return sizeof(REAL) == 4 ? powf(x, exponent) : pow(x, exponent); }

__global__ void forward_level(Nodes nodes, REAL* value, int first, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count * nodes.batch) return;
  const int node = first + i / nodes.batch, sample = i % nodes.batch;
  const REAL a = value[nodes.left[node] * nodes.batch + sample], b = value[nodes.right[node] * nodes.batch + sample];
  REAL result = 0;
  switch (nodes.operation[node]) {
    case kAdd:
      result = a + b;
      break;
    case kMultiply:
      result = a * b;
      break;
    case kPower:
      result = power(a, nodes.constant[node]);
      break;
    case kTanh:
      result = tanh(a);
      break;
    case kRelu:
      result = a > 0 ? a : 0;
      break;
  }
  value[node * nodes.batch + sample] = result;
}

__global__ void backward_level(Nodes nodes, const REAL* value, REAL* gradient, int first, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count * nodes.batch) return;
  const int node = first + i / nodes.batch, sample = i % nodes.batch;
  const int left = nodes.left[node] * nodes.batch + sample, right = nodes.right[node] * nodes.batch + sample;
  const REAL a = value[left], result = value[node * nodes.batch + sample];
  const REAL arriving = gradient[node * nodes.batch + sample];
  const REAL exponent = nodes.constant[node];
  switch (nodes.operation[node]) {
    case kAdd:
      atomicAdd(&gradient[left], arriving);
      atomicAdd(&gradient[right], arriving);
      break;
    case kMultiply:
      atomicAdd(&gradient[left], arriving * value[right]);
      atomicAdd(&gradient[right], arriving * a);
      break;
    case kPower:
      atomicAdd(&gradient[left], arriving * exponent * power(a, exponent - 1));
      break;
    case kTanh:
      atomicAdd(&gradient[left], arriving * (1 - result * result));
      break;
    case kRelu:
      atomicAdd(&gradient[left], a > 0 ? arriving : REAL(0));
      break;
  }
}

static int blocks_for(int count, int batch) { return (count * batch + 127) / 128; }

// Level k has the nodes from starts[k] to starts[k + 1]; level 0 has the leaves, whose values are given. `starts` is
// read on the host, so it must be memory of ww.array.
extern "C" void forward(const int* operation, const int* left, const int* right, const REAL* constant, REAL* value,
                        const int* starts, int levels, int batch) {
  const Nodes nodes{operation, left, right, constant, batch};
  for (int k = 1; k < levels; ++k) {
    const int count = starts[k + 1] - starts[k];
    forward_level<<<blocks_for(count, batch), 128>>>(nodes, value, starts[k], count);
  }
}

extern "C" void backward(const int* operation, const int* left, const int* right, const REAL* constant,
                         const REAL* value, REAL* gradient, const int* starts, int levels, int batch) {
  const Nodes nodes{operation, left, right, constant, batch};
  for (int k = levels - 1; k > 0; --k) {
    const int count = starts[k + 1] - starts[k];
    backward_level<<<blocks_for(count, batch), 128>>>(nodes, value, gradient, starts[k], count);
  }
}
