"""Arrays on a real GPU: calls go to the driver. Here that is a relay to our own libcuda (tests/device/gpu/relay_driver.cpp),
so no GPU is needed; its memory is made by the driver's own functions, as PyTorch's is."""

import ctypes
import os
import struct
import unittest
from types import SimpleNamespace
from unittest import mock

import warpwise as ww
from support import FloatsOnGpu, needs

DRIVER = os.environ.get("WARPWISE_GPU_DRIVER")

SOURCE = """
#include <cuda_runtime.h>

__device__ int launches;

__global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) atomicAdd(&launches, 1);
  if (i < n) y[i] += a * x[i];
}

extern "C" int twice(float a, const float* x, float* y, int n) {
  float* sum = nullptr;
  cudaMalloc(&sum, n * sizeof(float));
  cudaMemset(sum, 0, n * sizeof(float));
  saxpy<<<(n + 31) / 32, 32>>>(a, x, sum, n);
  saxpy<<<(n + 31) / 32, 32>>>(2.0f, sum, y, n);
  int count = 0;
  cudaMemcpyFromSymbol(&count, launches, sizeof count);
  cudaFree(sum);
  return count;
}

// The factors are the host's to read.
extern "C" void scaled(const float* factors, int count, const float* x, float* y, int n) {
  for (int k = 0; k < count; ++k) saxpy<<<(n + 31) / 32, 32>>>(factors[k], x, y, n);
}

__global__ void wild(int* p) { p[1 << 28] = 1; }
"""


class DriverMemory(FloatsOnGpu):
    """Floats in memory of the driver's device, as a tensor shows them."""

    driver = None

    @classmethod
    def open(cls):
        cls.driver = ctypes.CDLL(DRIVER)
        context = ctypes.c_void_p()
        for result in (
            cls.driver.cuInit(0),
            cls.driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0),
            cls.driver.cuCtxSetCurrent(context),
        ):
            assert result == 0, result

    def __init__(self, values):
        super().__init__(len(values))
        address = ctypes.c_uint64()
        assert self.driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(4 * self.count)) == 0
        self.address = address.value
        packed = struct.pack(f"{self.count}f", *values)
        self.copy("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(self.address), packed, len(packed))

    def copy(self, function, to, source, size):
        """On the default stream, behind what runs there."""
        assert getattr(self.driver, function)(to, source, ctypes.c_size_t(size), None) == 0
        assert self.driver.cuStreamSynchronize(None) == 0

    def data_ptr(self):
        return self.address

    def values(self):
        return self.at(self.address, self.count)

    def at(self, address, count):
        buffer = ctypes.create_string_buffer(4 * count)
        self.copy("cuMemcpyDtoHAsync_v2", buffer, ctypes.c_uint64(address), len(buffer))
        return list(struct.unpack(f"{count}f", buffer.raw))


@unittest.skipUnless(DRIVER, "WARPWISE_GPU_DRIVER names no driver")
class RealGpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = ww.load(source=SOURCE, name="saxpy.cu")
        DriverMemory.open()

    def test_a_kernel_runs_where_its_arrays_are(self):
        from array import array

        x, y = DriverMemory([1, 2, 3, 4]), DriverMemory([10, 20, 30, 40])
        self.module.saxpy[1, 32](2.0, x, y, 4)
        self.assertEqual(y.values(), [12, 24, 36, 48])
        # The same function on arrays of the CPU in between: the virtual GPU.
        host = array("f", [1, 1])
        self.module.saxpy[1, 32](3.0, array("f", [1, 2]), host, 2)
        self.assertEqual(list(host), [4, 7])
        self.module.saxpy[1, 32](1.0, x, y, 4)
        self.assertEqual(y.values(), [13, 26, 39, 52])

    def test_a_host_function_has_memory_and_variables_there(self):
        from array import array

        x, y = DriverMemory([1, 2, 3]), DriverMemory([0, 0, 0])
        before = self.module.twice(3.0, x, y, 3)
        self.assertEqual(y.values(), [6, 12, 18])
        self.assertEqual(self.module.twice(3.0, x, y, 3), before + 2)
        # The virtual GPU has a variable of its own.
        host = array("f", [0])
        first = self.module.twice(1.0, array("f", [5]), host, 1)
        self.assertEqual(self.module.twice(1.0, array("f", [5]), host, 1), first + 2)
        self.assertEqual(list(host), [20])
        self.assertEqual(self.module.twice(0.0, x, y, 3), before + 4)

    def test_a_host_function_reads_arrays_of_the_host(self):
        from array import array

        x, y = DriverMemory([1, 2]), DriverMemory([0, 0])
        self.module.scaled(array("f", [2, 3, 5]), 3, x, y, 2)
        self.assertEqual(y.values(), [10, 20])

    def test_arrays_are_in_one_place(self):
        from array import array

        x = DriverMemory([1, 2])
        with self.assertRaisesRegex(ww.ArgumentError, "arrays on a real GPU and arrays of the CPU"):
            self.module.saxpy[1, 32](2.0, x, array("f", [1, 2]), 2)
        other = DriverMemory([1, 2])
        other.device = SimpleNamespace(type="cuda", index=1)
        with self.assertRaisesRegex(ww.ArgumentError, r"arrays on GPUs \[0, 1\]"):
            self.module.saxpy[1, 32](2.0, x, other, 2)
        with self.assertRaisesRegex(ww.WarpwiseError, "the process uses GPU 0, and cannot use GPU 1 as well"):
            self.module.saxpy[1, 32](2.0, other, other, 2)

    def test_a_launch_that_no_gpu_takes(self):
        x = DriverMemory([1])
        with self.assertRaisesRegex(ww.WarpwiseError, "cudaErrorInvalid"):
            self.module.saxpy[1, 4096](2.0, x, x, 1)
        self.module.saxpy[1, 32](1.0, x, x, 1)
        self.assertEqual(x.values(), [2])


INLINE = """
__global__ void scaled_kernel(float a, const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
torch::Tensor scaled(torch::Tensor x, torch::Tensor factors) {
  auto y = torch::zeros_like(x);
  for (int64_t i = 0; i < factors.numel(); ++i)
    scaled_kernel<<<1, 32>>>(factors.data_ptr<float>()[i], x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
void add_into(torch::Tensor y, torch::Tensor x) {
  auto twice = x.clone();
  scaled_kernel<<<1, 32>>>(1.0f, x.data_ptr<float>(), twice.data_ptr<float>(), x.numel());
  scaled_kernel<<<1, 32>>>(1.0f, twice.data_ptr<float>(), y.data_ptr<float>(), x.numel());
}
torch::Tensor ramp(int64_t n) {
  auto t = torch::empty({n});
  for (int64_t i = 0; i < n; ++i) t.data_ptr<float>()[i] = float(i);
  return t;
}
"""


@unittest.skipUnless(DRIVER, "WARPWISE_GPU_DRIVER names no driver")
@needs("torch")
class Inline(unittest.TestCase):
    """Debian's PyTorch has no GPU: what it would do with memory there, stand-ins do."""

    def setUp(self):
        import torch
        import warpwise.torch

        DriverMemory.open()
        self.module = ww.torch.load_inline("scaled", cuda_sources=INLINE, functions=["scaled", "add_into", "ramp"])
        stream = mock.patch.object(torch.cuda, "current_stream", lambda ordinal: SimpleNamespace(cuda_stream=0))
        result = mock.patch("warpwise.torch._inline._copy_on_gpu", self.copied)
        for patch in stream, result:
            patch.start()
            self.addCleanup(patch.stop)

    @staticmethod
    def copied(address, sizes, dtype, gpu):
        return gpu.memory.at(address, *sizes)

    @staticmethod
    def on_gpu(values):
        import torch

        class OnGpu(torch.Tensor):
            is_cuda, device = True, SimpleNamespace(type="cuda", index=0)

            def detach(self):
                return self

            contiguous = detach

            def data_ptr(self):
                return self.memory.address

        tensor = torch.Tensor._make_subclass(OnGpu, torch.zeros(len(values)))
        tensor.memory = DriverMemory(values)
        return tensor

    def test_tensors_stay_where_they_are(self):
        import torch

        x = self.on_gpu([1, 2, 3])
        # A tensor of the CPU beside it is the host code's.
        self.assertEqual(self.module.scaled(x, torch.tensor([2.0, 5.0])), [7, 14, 21])
        y = self.on_gpu([1, 1, 1])
        self.assertIsNone(self.module.add_into(y, x))
        self.assertEqual(y.memory.values(), [3, 5, 7])
        self.assertEqual(x.memory.values(), [1, 2, 3])

    def test_cpu_tensors_in_between_go_to_the_virtual_gpu(self):
        import torch

        self.module.scaled(self.on_gpu([1]), torch.tensor([2.0]))
        self.assertEqual(self.module.scaled(torch.tensor([1.0, 4.0]), torch.tensor([3.0])).tolist(), [3, 12])
        self.assertEqual(self.module.ramp(3).tolist(), [0, 1, 2])

    def test_an_error_leaves_the_next_call_as_it_was(self):
        import torch

        with self.assertRaisesRegex(ww.WarpwiseError, "expected scalar type Float but found Int"):
            self.module.scaled(self.on_gpu([1]), torch.tensor([2]).int())
        self.assertEqual(self.module.ramp(2).tolist(), [0, 1])


class WithoutDriver(unittest.TestCase):
    @unittest.skipIf(DRIVER, "there is a driver")
    def test_it_says_so(self):
        module = ww.load(source=SOURCE, name="saxpy.cu")
        tensor = SimpleNamespace(
            data_ptr=lambda: 4096, numel=lambda: 1, element_size=lambda: 4, is_contiguous=lambda: True,
            dtype="torch.float32", shape=(1,), device=SimpleNamespace(type="cuda", index=0),
        )  # fmt: skip
        if os.path.exists("/proc/driver/nvidia"):
            self.skipTest("this machine has a driver")
        with self.assertRaisesRegex(ww.WarpwiseError, "R060"):
            module.saxpy[1, 32](1.0, tensor, tensor, 1)


if __name__ == "__main__":
    unittest.main()
