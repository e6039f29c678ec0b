"""Arguments: what arrays may be, and the sentence for each that may not."""

import unittest
from array import array

import warpwise as ww
from support import FloatsOnGpu, needs

SOURCE = """
#include <cuda_fp16.h>
__global__ void scale(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
__global__ void add(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}
__global__ void shift(const int* from, int* to, int n) {
  int i = threadIdx.x;
  if (i < n) to[i] = from[i];
}
__global__ void halves(__half* x) { x[threadIdx.x] = __float2half(2.5f); }
__global__ void pairs(float2* x) { x[threadIdx.x] = make_float2(1, 2); }
__global__ void bytes_of(const void* from, unsigned char* to, int n) {
  for (int i = 0; i < n; ++i) to[i] = static_cast<const unsigned char*>(from)[i];
}
__global__ void numbers(double* out, bool a, short b, unsigned long long c, double d) {
  out[0] = a, out[1] = b, out[2] = c, out[3] = d;
}
struct Params { int a; };
__global__ void by_pointer(Params* p) {}
__global__ void by_value(Params p, int* out) {}
__global__ void is_null(const int* maybe, int* out) { *out = maybe == nullptr; }
__global__ void hello() { printf("hello from block %d\\n", blockIdx.x); }
"""

SAXPY = """
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
"""


class Arguments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = ww.load(source=SOURCE, name="arguments.cu")

    def refused(self, pattern, call, *arguments):
        with self.assertRaisesRegex(ww.ArgumentError, pattern):
            call(*arguments)

    def test_numbers_keep_their_bits(self):
        out = array("d", [0] * 4)
        self.module.numbers[1, 1](out, True, -3, 2**63 + 1024, 0.1)
        self.assertEqual(list(out), [1.0, -3.0, float(2**63 + 1024), 0.1])

    def test_numbers_that_do_not_fit(self):
        out = array("d", [0] * 4)
        self.refused("argument `b` of `numbers` is int 40000", self.module.numbers[1, 1], out, True, 40000, 0, 0)
        self.refused("argument `n` of `scale` is float 1.5", self.module.scale[1, 1], array("f", [1]), 1.0, 1.5)
        self.refused("argument `by` of `scale` is str 'two'", self.module.scale[1, 1], array("f", [1]), "two", 1)

    def test_counts_of_arguments(self):
        self.refused("takes 3 arguments and got 1", self.module.scale[1, 1], array("f", [1]))

    def test_a_kernel_needs_its_shape(self):
        self.refused("is a kernel: say how many threads", self.module.scale, array("f", [1]), 1.0, 1)
        self.refused("one to three numbers", self.module.scale.configure, (1, 2, 3, 4), 1)
        self.refused("one to three numbers", self.module.scale.configure, -1, 1)

    def test_wrong_element_types(self):
        self.refused(
            "argument `x` of `scale` is an array of float64, and the function takes float32",
            self.module.scale[1, 1], array("d", [1]), 1.0, 1,
        )  # fmt: skip
        self.refused("is int 5, and the function takes an array", self.module.scale[1, 1], 5, 1.0, 1)

    def test_structures_are_refused_by_name(self):
        self.refused("argument `p` of `by_pointer` points to `Params`", self.module.by_pointer[1, 1], array("i", [1]))
        self.refused("argument `p` of `by_value` is a `Params`", self.module.by_value[1, 1], 5, array("i", [1]))

    def test_read_only_memory(self):
        data = bytes(array("i", [1, 2, 3]))
        out = array("i", [0] * 3)
        read_only = memoryview(data).cast("i")
        self.module.shift[1, 3](read_only, out, 3)
        self.assertEqual(list(out), [1, 2, 3])
        self.refused("argument `to` of `shift` is read-only", self.module.shift[1, 3], out, read_only, 3)

    def test_none_is_the_null_pointer(self):
        out = array("i", [0])
        self.module.is_null[1, 1](None, out)
        self.assertEqual(out[0], 1)

    def test_arrays_that_overlap_are_one(self):
        values = array("i", range(10))
        view = memoryview(values)
        self.module.shift[1, 8](view[2:], view[:8], 8)
        self.assertEqual(list(values), [2, 3, 4, 5, 6, 7, 8, 9, 8, 9])
        self.module.shift[1, 4](values, values, 4)
        self.assertEqual(list(values), [2, 3, 4, 5, 6, 7, 8, 9, 8, 9])

    def test_what_kernels_print_is_shown(self):
        import contextlib
        import io

        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            self.module.hello[2, 1]()
        self.assertEqual(text.getvalue(), "hello from block 0\nhello from block 1\n")


@needs("numpy")
class Numpy(Arguments):
    def test_arrays(self):
        import numpy as np

        a = np.random.rand(37, 5).astype(np.float32)
        b = np.random.rand(37, 5).astype(np.float32)
        out = np.zeros_like(a)
        self.module.add[(a.size + 63) // 64, 64](a, b, out, a.size)
        np.testing.assert_array_equal(out, a + b)
        self.module.scale[6, 32](out, np.float32(2), np.int64(a.size))
        np.testing.assert_array_equal(out, (a + b) * 2)

    def test_other_types(self):
        import numpy as np

        x = np.zeros(4, np.float16)
        self.module.halves[1, 4](x)
        np.testing.assert_array_equal(x, np.full(4, 2.5, np.float16))
        for pairs in (np.zeros(3, np.complex64), np.zeros((3, 2), np.float32)):
            self.module.pairs[1, 3](pairs)
            np.testing.assert_array_equal(pairs.view(np.float32).reshape(-1), [1, 2] * 3)
        self.refused("12 bytes, which are not whole elements of `float2`", self.module.pairs[1, 1], x_of(np, 3))
        record = np.array([(1, 2)], dtype=[("a", "i4"), ("b", "i4")])
        out = np.zeros(8, np.uint8)
        self.module.bytes_of[1, 1](record, out, 8)
        self.assertEqual(out.tobytes(), record.tobytes())

    def test_layouts(self):
        import numpy as np

        x = np.ones((4, 6), np.float32)
        for wrong in (x[:, ::2], x.T, np.asfortranarray(x), x[::-1]):
            self.refused("argument `x` of `scale` is not contiguous", self.module.scale[1, 1], wrong, 1.0, 1)
        self.module.scale[1, 32](x[1:3], 2.0, 12)
        np.testing.assert_array_equal(x.sum(axis=1), [6, 12, 12, 6])
        self.refused("big-endian float32", self.module.scale[1, 1], x.astype(">f4"), 1.0, 1)
        x.flags.writeable = False
        self.refused("is read-only", self.module.scale[1, 1], x, 1.0, 1)

    def test_no_elements(self):
        import numpy as np

        self.module.scale[1, 1](np.zeros(0, np.float32), 1.0, 0)

    def test_dlpack(self):
        import numpy as np

        class OnlyDlpack:
            def __init__(self, values):
                self.values = values

            def __dlpack__(self):
                return self.values.__dlpack__()

        x = np.arange(6, dtype=np.float32)
        self.module.scale[1, 6](OnlyDlpack(x), 2.0, 6)
        np.testing.assert_array_equal(x, np.arange(6) * 2)
        self.refused("array of float64", self.module.scale[1, 1], OnlyDlpack(x.astype(float)), 1.0, 1)


@needs("torch")
class Tensors(unittest.TestCase):
    def test_tensors(self):
        import torch

        module = ww.load(source=SOURCE, name="arguments.cu")
        x = torch.arange(8, dtype=torch.float32)
        module.scale[1, 8](x, 2.0, 8)
        self.assertEqual(x.tolist(), [2.0 * i for i in range(8)])
        with self.assertRaisesRegex(ww.ArgumentError, r"float64.*\.to\(torch\.float32\)"):
            module.scale[1, 8](x.double(), 2.0, 8)
        with self.assertRaisesRegex(ww.ArgumentError, "not contiguous"):
            module.scale[1, 8](torch.ones(4, 4).t(), 2.0, 8)

    def test_tensors_without_memory(self):
        import torch

        module = ww.load(source=SOURCE, name="arguments.cu")
        freed = torch.ones(8)
        freed.storage().resize_(0)
        with self.assertRaisesRegex(ww.ArgumentError, "`x` of `scale` has no memory for its 32 bytes any more"):
            module.scale[1, 8](freed, 2.0, 8)
        with self.assertRaisesRegex(ww.ArgumentError, "is on `meta`"):
            module.scale[1, 8](torch.ones(8, device="meta"), 2.0, 8)
        with self.assertRaisesRegex(ww.ArgumentError, "`x` of `scale` is a Tensor"):
            module.scale[1, 8](torch.ones(2, 2).to_sparse(), 2.0, 8)


class OnGpu(FloatsOnGpu):
    """A tensor of a real GPU, as far as a call looks at it: its memory cannot be read here."""

    def __init__(self, values, begin=0, memory=None):
        self.memory = memory if memory is not None else array("f", values)
        super().__init__(len(values))
        self.begin, self.copies = begin, []

    def data_ptr(self):
        return 16 * id(self.memory) + 4 * self.begin

    def detach(self):
        return self

    def part(self, begin, end):
        return OnGpu(self.memory[begin:end], begin, self.memory)

    def cpu(self):
        host = OnGpu(self.memory[self.begin : self.begin + self.count])
        host.data_ptr = lambda: host.memory.buffer_info()[0]
        return host

    def copy_(self, host):
        self.copies.append(host)
        self.memory[self.begin : self.begin + self.count] = host.memory


class WatchedCudaTensors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = ww.load(source=SAXPY, name="saxpy.cu")

    def test_they_go_to_the_virtual_gpu_and_back(self):
        x, y = OnGpu([1, 2, 3]), OnGpu([10, 20, 30])
        with ww.check() as checked:
            self.module.saxpy[1, 32](2.0, x, y, 3)
        self.assertEqual(list(y.memory), [12, 24, 36])
        self.assertEqual((len(x.copies), len(y.copies)), (0, 1))  # what is only read need not come back
        self.assertFalse(checked.findings)
        with ww.profile():
            self.module.saxpy[1, 32](1.0, y, y, 3)
        self.assertEqual(list(y.memory), [24, 48, 72])

    def test_parts_of_one_tensor(self):
        x = OnGpu([1, 2, 3, 4])
        with ww.check():
            self.module.saxpy[1, 32](1.0, x.part(0, 2), x.part(2, 4), 2)
        self.assertEqual(list(x.memory), [1, 2, 4, 6])
        with self.assertRaisesRegex(ww.ArgumentError, "`y` of `saxpy` overlaps another argument"):
            with ww.check():
                self.module.saxpy[1, 32](1.0, x.part(0, 3), x.part(1, 4), 3)

    def test_a_kernel_that_fails_changes_nothing(self):
        y = OnGpu([10, 20, 30])
        with self.assertRaisesRegex(ww.KernelError, "cudaErrorIllegalAddress"):
            with ww.profile():
                self.module.saxpy[1, 32](2.0, None, y, 3)
        self.assertEqual((list(y.memory), y.copies), ([10, 20, 30], []))


def x_of(np, count):
    return np.zeros(count, np.float32)


if __name__ == "__main__":
    unittest.main()
