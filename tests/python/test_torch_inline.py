"""ww.torch.load_inline: sources that were written for torch.utils.cpp_extension.load_inline."""

import unittest

import warpwise as ww
from support import needs

# The shape of the first example of most courses.
SQUARE_CUDA = """
__global__ void square_matrix_kernel(const float* matrix, float* result, int width, int height) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < height && col < width) {
        int i = row * width + col;
        result[i] = matrix[i] * matrix[i];
    }
}
torch::Tensor square_matrix(torch::Tensor matrix) {
    TORCH_CHECK(matrix.is_cuda() && matrix.dim() == 2, "a matrix");
    const auto height = matrix.size(0);
    const auto width = matrix.size(1);
    auto result = torch::empty_like(matrix);
    dim3 threads_per_block(16, 16);
    dim3 number_of_blocks((width + 15) / 16, (height + 15) / 16);
    square_matrix_kernel<<<number_of_blocks, threads_per_block>>>(
        matrix.data_ptr<float>(), result.data_ptr<float>(), width, height);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return result;
}
"""
SQUARE_CPP = "torch::Tensor square_matrix(torch::Tensor matrix);"

DISPATCH = """
template <typename scalar_t>
__global__ void axpy_kernel(scalar_t a, const scalar_t* x, scalar_t* y, int64_t n) {
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
void axpy(double a, const torch::Tensor& x, torch::Tensor y) {
  TORCH_CHECK(x.sizes() == y.sizes(), "x and y have different shapes");
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "axpy", ([&] {
    axpy_kernel<scalar_t><<<(x.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
        scalar_t(a), x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.numel());
  }));
}
torch::Tensor ramp(int64_t n, bool down) {
  auto t = torch::zeros({n, 2}, torch::dtype(torch::kInt32).device(torch::kCUDA));
  for (int64_t i = 0; i < t.size(0); ++i) t.data_ptr<int>()[2 * i] = down ? n - i : i;
  return t;
}
"""


@needs("torch")
class Inline(unittest.TestCase):
    def test_square_matrix(self):
        import torch
        import warpwise.torch

        module = ww.torch.load_inline(
            name="square_matrix_extension",
            cpp_sources=SQUARE_CPP,
            cuda_sources=SQUARE_CUDA,
            functions=["square_matrix"],
            with_cuda=True,
            extra_cuda_cflags=["-O2"],
            build_directory="./load_inline_cuda",
        )
        x = torch.randn(33, 20)
        torch.testing.assert_close(module.square_matrix(x), x * x)
        torch.testing.assert_close(module.square_matrix(x.t()), x.t() * x.t())
        with self.assertRaisesRegex(ww.WarpwiseError, "expected scalar type Float but found Double"):
            module.square_matrix(x.double())
        with self.assertRaisesRegex(ww.WarpwiseError, "a matrix"):
            module.square_matrix(torch.ones(3))
        with self.assertRaisesRegex(ww.ArgumentError, "takes a tensor, not int"):
            module.square_matrix(3)

    def test_types_and_arguments_that_are_written(self):
        import torch
        import warpwise.torch

        module = ww.torch.load_inline("axpy", "", DISPATCH, ["axpy", "ramp"])
        for dtype in (torch.float32, torch.float64):
            x, y = torch.randn(1000, dtype=dtype), torch.randn(1000, dtype=dtype)
            expected = 2.5 * x + y
            self.assertIsNone(module.axpy(2.5, x, y))
            torch.testing.assert_close(y, expected)
        with self.assertRaisesRegex(ww.WarpwiseError, "\"axpy\" not implemented for 'Int'"):
            module.axpy(1.0, torch.ones(3, dtype=torch.int32), torch.ones(3, dtype=torch.int32))
        with self.assertRaisesRegex(ww.WarpwiseError, "different shapes"):
            module.axpy(1.0, torch.ones(3), torch.ones(4))
        self.assertEqual(module.ramp(3, True).tolist(), [[3, 0], [2, 0], [1, 0]])

    def test_what_is_missing_is_named(self):
        import warpwise.torch

        with self.assertRaisesRegex(ww.CompileError, "no member named 'matmul'"):
            ww.torch.load_inline("m", "", "torch::Tensor f(torch::Tensor a) { return torch::matmul(a, a); }", ["f"])
        with self.assertRaisesRegex(ww.ArgumentError, "`g` of `m` cannot be called"):
            ww.torch.load_inline("m", "", "torch::Tensor f(torch::Tensor a) { return a; }", ["g"])


if __name__ == "__main__":
    unittest.main()
