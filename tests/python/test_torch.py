"""ww.torch.op: an operator with autograd, checked by gradcheck in double."""

import sys
import unittest
from pathlib import Path

import warpwise as ww
from support import needs

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"

WEIGHTED = """
#ifndef REAL
#define REAL float
#endif
// A host function: y = factor * a * b, and a sum of each row of a, with a launch of its own for each.
__global__ void multiply(const REAL* a, const REAL* b, REAL* y, double factor, long n) {
  long i = blockIdx.x * long(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = factor * a[i] * b[i];
}
__global__ void sums(const REAL* a, REAL* rows, int width) {
  REAL sum = 0;
  for (int i = 0; i < width; ++i) sum += a[blockIdx.x * width + i];
  rows[blockIdx.x] = sum;
}
__global__ void back(const REAL* gy, const REAL* gr, const REAL* a, const REAL* b, REAL* ga, REAL* gb, double factor,
                     int width, long n) {
  long i = blockIdx.x * long(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  ga[i] = gy[i] * factor * b[i] + gr[i / width];
  gb[i] = gy[i] * factor * a[i];
}
extern "C" void weighted(const REAL* a, const REAL* b, REAL* y, REAL* rows, double factor, int width, long n) {
  multiply<<<(n + 63) / 64, 64>>>(a, b, y, factor, n);
  sums<<<n / width, 1>>>(a, rows, width);
}
extern "C" void weighted_backward(const REAL* grad_y, const REAL* grad_rows, const REAL* a, const REAL* b, REAL* grad_a,
                                  REAL* grad_b, double factor, int width, long n) {
  back<<<(n + 63) / 64, 64>>>(grad_y, grad_rows, a, b, grad_a, grad_b, factor, width, n);
}
"""


@needs("torch", "numpy")
class Operators(unittest.TestCase):
    def test_the_worked_example(self):
        sys.path.insert(0, str(EXAMPLES))
        import polynomial

        self.assertLess(polynomial.fit(steps=300), 150)

    def test_half_precision_needs_no_header_of_its_own(self):
        import torch
        import warpwise.torch

        legendre = ww.torch.op(EXAMPLES / "polynomial.cu", forward="legendre", backward="legendre_backward")
        x = torch.linspace(-1, 1, 33, dtype=torch.float16, requires_grad=True)
        y = legendre(x)
        y.backward(torch.ones_like(y))
        wide = x.detach().double()
        torch.testing.assert_close(y.double(), (2.5 * wide**3 - 1.5 * wide), atol=4e-3, rtol=0)
        torch.testing.assert_close(x.grad.double(), 7.5 * wide**2 - 1.5, atol=8e-3, rtol=0)

    def test_several_inputs_outputs_and_numbers(self):
        import torch
        import warpwise.torch

        weighted = ww.torch.op(
            source=WEIGHTED,
            forward="weighted",
            backward="weighted_backward",
            outputs={"rows": lambda a, b: a.shape[:1]},
        )
        a = torch.randn(6, 5, dtype=torch.float64, requires_grad=True)
        b = torch.randn(6, 5, dtype=torch.float64, requires_grad=True)
        y, rows = weighted(a, b, factor=3.0, width=5)
        torch.testing.assert_close(y, 3 * a * b)
        torch.testing.assert_close(rows, a.sum(dim=1))
        self.assertTrue(torch.autograd.gradcheck(lambda a, b: weighted(a, b, factor=3.0, width=5), (a, b)))
        # Not contiguous, and in single precision.
        t = torch.randn(5, 6).t()
        torch.testing.assert_close(weighted(t, t, factor=1.0, width=5)[0], t * t)

    def test_what_is_refused(self):
        import torch
        import warpwise.torch

        with self.assertRaisesRegex(ww.ArgumentError, r"`grad_z` of `b` is none of grad_x"):
            ww.torch.op(
                source="__global__ void f(const float* x, float* y) {} __global__ void b(const float* grad_y, float* grad_z) {}",
                forward="f",
                backward="b",
            )
        without = ww.torch.op(source="__global__ void f(const float* x, float* y, long n) {}", forward="f")
        with self.assertRaisesRegex(ww.ArgumentError, "takes tensors of float32, float64 or float16, not torch.int32"):
            without(torch.ones(3, dtype=torch.int32))
        with self.assertRaisesRegex(ww.ArgumentError, "made without backward="):
            without(torch.ones(3, requires_grad=True)).sum().backward()
        with self.assertRaisesRegex(ww.ArgumentError, "needs factor=, width="):
            ww.torch.op(source=WEIGHTED, forward="weighted")(torch.ones(2), torch.ones(2))


if __name__ == "__main__":
    unittest.main()
