"""Arrays that host and kernels use in place."""

import gc
import unittest

import warpwise as ww
from support import needs

SOURCE = """
__global__ void scale(float* x, float by) { x[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
__global__ void same(const float* x, const float* y, int* out) { *out = x + 4 == y; }
__global__ void past(float* x) { x[threadIdx.x + 1024] = 1; }
__global__ void trap() { __trap(); }
extern "C" void twice(float* x, int n) { scale<<<n / 32, 32>>>(x, 2); }
"""


@needs("numpy")
class Memory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = ww.load(source=SOURCE, name="memory.cu")

    def test_arrays_are_used_in_place(self):
        import numpy as np

        x = ww.array(np.arange(1024).reshape(32, 32), np.float32)
        self.module.scale[32, 32](x, 2.0)
        np.testing.assert_array_equal(x, np.arange(1024).reshape(32, 32) * 2)
        self.module.twice(x, 1024)
        np.testing.assert_array_equal(x, np.arange(1024).reshape(32, 32) * 4)
        self.module.scale[1, 32](x[1], 0.0)
        self.assertEqual(x[:2].sum(), 4 * sum(range(32)))
        out = np.zeros(1, np.int32)
        self.module.same[1, 1](x, x.reshape(-1)[4:], out)
        self.assertEqual(out[0], 1)

    def test_they_start_as_zeros_and_have_any_type(self):
        self.assertEqual(ww.zeros((3, 4), "int16").tolist(), [[0] * 4] * 3)
        self.assertEqual(ww.empty(0).shape, (0,))

    def test_they_outlive_failures_and_watches(self):
        x = ww.array([1.0, 2.0, 3.0], "float32")
        with self.assertRaises(ww.KernelError):
            self.module.trap[1, 1]()
        self.assertEqual(x.tolist(), [1, 2, 3])
        self.module.scale[1, 3](x, 2.0)
        self.assertEqual(x.tolist(), [2, 4, 6])
        with ww.check() as report:
            self.module.scale[1, 3](x, 2.0)
        self.assertTrue(report.clean, str(report))
        self.assertEqual(x.tolist(), [4, 8, 12])
        self.module.scale[1, 3](x, 0.5)
        self.assertEqual(x.tolist(), [2, 4, 6])

    def test_accesses_past_the_end_are_found(self):
        x = ww.zeros(1024)
        with ww.check() as report:
            try:
                self.module.past[1, 1](x)
            except ww.KernelError:
                pass
        self.assertEqual([f.code for f in report.findings][:1], ["C0101"], str(report))

    def test_memory_is_given_back(self):
        for _ in range(50):
            x = ww.zeros(1 << 20)
            self.module.scale[1, 32](x, 2.0)
        del x
        gc.collect()


if __name__ == "__main__":
    unittest.main()
