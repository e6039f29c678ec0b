"""warpwise.cuda: what loads CUDA's libraries by name gets ours, and is watched. No package of NVIDIA's is needed."""

import ctypes
import subprocess
import sys
import tempfile
import unittest
from array import array
from pathlib import Path

import warpwise as ww
import warpwise.cuda

SOURCE = b"""extern "C" __global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) x[i] *= 2;
}
"""


class Driver:
    """A program of the driver API that finds its libraries by their names, as packages do."""

    def __init__(self):
        self.cuda, self.nvrtc = ctypes.CDLL("libcuda.so.1"), ctypes.CDLL("libnvrtc.so.13")
        context = ctypes.c_void_p()
        self.must(self.cuda.cuInit(0))
        self.must(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
        self.must(self.cuda.cuCtxSetCurrent(context))

    def must(self, error):
        assert error == 0, error

    def kernel(self, source, name):
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        self.must(self.nvrtcCreate(program, source))
        options = (ctypes.c_char_p * 1)(b"-arch=sm_90")
        self.must(self.nvrtc.nvrtcCompileProgram(program, 1, options))
        self.must(self.nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size)))
        image = ctypes.create_string_buffer(size.value)
        self.must(self.nvrtc.nvrtcGetCUBIN(program, image))
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.must(self.cuda.cuModuleLoadData(ctypes.byref(module), image))
        self.must(self.cuda.cuModuleGetFunction(ctypes.byref(function), module, name))
        return function

    def nvrtcCreate(self, program, source):
        return self.nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"scale.cu", 0, None, None)

    def run(self, n):
        x = array("f", range(n))
        memory = ctypes.c_uint64()
        self.must(self.cuda.cuMemAlloc_v2(ctypes.byref(memory), 4 * n))
        host = (ctypes.c_float * n).from_buffer(x)
        self.must(self.cuda.cuMemcpyHtoD_v2(memory, host, ctypes.c_size_t(4 * n)))
        count = ctypes.c_int(n)
        arguments = (ctypes.c_void_p * 2)(ctypes.addressof(memory), ctypes.addressof(count))
        function = self.kernel(SOURCE, b"scale")
        self.must(self.cuda.cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, None, arguments, None))
        self.must(self.cuda.cuMemcpyDtoH_v2(host, memory, ctypes.c_size_t(4 * n)))
        self.must(self.cuda.cuMemFree_v2(memory))
        return x


class Cuda(unittest.TestCase):
    def test_libraries_by_name_are_ours_and_watched(self):
        self.assertEqual(list(Driver().run(64)), [2.0 * i for i in range(64)])
        with ww.check() as report:
            Driver().run(64)
        self.assertEqual({(f.code, f.line) for f in report.findings}, {("C0101", 3)}, report)

    def test_a_script_that_knows_nothing_of_it(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "script.py"
            script.write_text(
                "import ctypes, sys\ncount = ctypes.c_int()\ncuda = ctypes.CDLL('libcuda.so.1')\ncuda.cuInit(0)\n"
                "cuda.cuDeviceGetCount(ctypes.byref(count))\nprint('GPUs:', count.value, sys.argv[1:])\n"
            )
            words = [sys.executable, "-m", "warpwise.cuda", "--device=a100", str(script), "one"]
            done = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "GPUs: 1 ['one']\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()
