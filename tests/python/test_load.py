"""ww.load: which functions a source offers, with which signatures; the cache; messages of the compiler."""

import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from array import array
from pathlib import Path

import warpwise as ww

SOURCE = """
#define KERNEL __global__ void
typedef const float* Input;

__global__ void scale(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
KERNEL hidden(int* x) { x[0] = 1; }  // a macro hides that it is a kernel

namespace steps {
namespace inner { __global__ void __launch_bounds__(64) first(Input a, double *out) { out[0] = a[0]; } }
}
template <class T> __global__ void any(T* x) {}
__global__ void twice(int*) {}
__global__ void twice(float*) {}

struct Params { int a, b; };
extern "C" {
int sum(const int* values, int count, unsigned long long* out);
static void not_offered() {}
void solve(const float* a, float* out, int n) {
  cudaMemcpy(out, a, n * sizeof(float), cudaMemcpyDeviceToDevice);
  scale<<<(n + 63) / 64, 64>>>(out, 3, n);
}
double half_of(double x) { return x / 2; }
void with_struct(Params* p, Params q) {}
}
#if 0
__global__ void gone(int*) {}
#elif 1
__global__ void there(unsigned char* bytes, const void* anything, bool flag) {}
#endif
#ifdef NEVER_DEFINED
extern "C" void never(int n) {}
#endif
"""

OF_THE_RUNTIME = (
    "cudaDriverGetVersion", "cudaFree", "cudaFuncSetAttribute", "cudaGetLastError", "cudaLaunchKernel", "cudaMalloc", "cudaMemcpy",
    "__cudaInitModule", "__cudaPopCallConfiguration", "__cudaPushCallConfiguration", "__cudaRegisterFatBinary",
    "__cudaRegisterFatBinaryEnd", "__cudaRegisterFunction", "__cudaRegisterVar", "__cudaUnregisterFatBinary",
)


class Load(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = ww.load(source=SOURCE, name="functions.cu")

    def test_offers_what_the_source_defines(self):
        self.assertEqual(
            list(self.module),
            ["scale", "steps::inner::first", "solve", "half_of", "with_struct", "there"],
        )

    def test_says_why_others_are_left_out(self):
        self.assertEqual(set(self.module.left_out), {"any", "twice", "never"})
        with self.assertRaisesRegex(AttributeError, "it is a template"):
            self.module.any
        with self.assertRaisesRegex(KeyError, "several functions have this name"):
            self.module["twice"]
        with self.assertRaisesRegex(KeyError, "undeclared identifier"):
            self.module["never"]
        with self.assertRaisesRegex(AttributeError, "has no function `nothing`; it has scale, "):
            self.module.nothing

    def test_signatures_are_the_compilers(self):
        self.assertEqual(str(self.module.scale.signature), "__global__ void scale(float* x, float by, int n)")
        first = self.module["steps::inner::first"].signature
        self.assertEqual([p.type.dtype for p in first.parameters], ["float32", "float64"])
        self.assertEqual([p.type.constant for p in first.parameters], [True, False])
        self.assertEqual(str(self.module.half_of.signature), "double half_of(double x)")
        self.assertEqual([p.type.dtype for p in self.module.there.signature.parameters], ["uint8", None, "bool"])

    def test_kernels_run(self):
        x = array("f", range(100))
        self.module.scale[2, 64](x, 2.0, 100)
        self.assertEqual(list(x), [2.0 * i for i in range(100)])
        self.module.scale(x, 0.5, 100, grid=(4,), block=(32, 1, 1))
        self.assertEqual(list(x), [float(i) for i in range(100)])

    def test_host_functions_run(self):
        a, out = array("f", range(100)), array("f", [0] * 100)
        self.module.solve(a, out, 100)
        self.assertEqual(list(out), [3.0 * i for i in range(100)])
        self.assertEqual(list(a), [float(i) for i in range(100)])
        self.assertEqual(self.module.half_of(5.0), 2.5)

    def test_second_load_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "k.cu"
            path.write_text('extern "C" __global__ void set(int* x) { *x = VALUE; }')
            time.sleep(0.02)  # what is as young as its compilation is not kept
            ww.load(path, flags=["-DVALUE=3"])
            begun = time.perf_counter()
            module = ww.load(path, flags=["-DVALUE=3"])
            taken = time.perf_counter() - begun
            x = array("i", [0])
            module.set[1, 1](x)
            self.assertEqual(x[0], 3)
            self.assertLess(taken, 0.15)  # no compiler ran, however busy the machine is

            path.write_text('extern "C" __global__ void set(int* x) { *x = VALUE + 1; }')
            ww.load(path, flags=["-DVALUE=3"]).set[1, 1](x)
            self.assertEqual(x[0], 4)

    def test_second_load_of_a_source_with_functions_left_out_is_found(self):
        begun = time.perf_counter()
        again = ww.load(source=SOURCE, name="functions.cu")
        self.assertLess(time.perf_counter() - begun, 0.15)
        self.assertEqual(again.left_out, self.module.left_out)

    def test_two_modules_have_functions_of_one_name(self):
        one = ww.load(source='extern "C" int which() { return 1; } __global__ void k(int* x) { *x = 1; }')
        two = ww.load(source='extern "C" int which() { return 2; } __global__ void k(int* x) { *x = 2; }')
        self.assertEqual((one.which(), two.which()), (1, 2))
        x = array("i", [0])
        one.k[1, 1](x)
        self.assertEqual(x[0], 1)
        two.k[1, 1](x)
        self.assertEqual(x[0], 2)

    def test_compiler_messages_are_the_exception(self):
        with self.assertRaisesRegex(ww.CompileError, r"(?s)T0003.*wrong\.cu:2:.*undeclared identifier 'y'"):
            ww.load(source="__global__ void k(int* x) {\n  *x = y;\n}", name="wrong.cu")

    def test_a_missing_file_is_named(self):
        with self.assertRaisesRegex(ww.WarpwiseError, "cannot read `/nowhere/k.cu`: No such file"):
            ww.load("/nowhere/k.cu")

    def test_undefined_functions_are_named(self):
        with self.assertRaisesRegex(ww.CompileError, "missing_function"):
            ww.load(source='extern "C" int missing_function(); extern "C" int f() { return missing_function(); }')

    @unittest.skipIf(shutil.which("cc") is None, "there is no C compiler")
    def test_beside_another_cuda_runtime(self):
        # A PyTorch with CUDA has loaded NVIDIA's runtime, for all libraries to see, before warpwise is imported.
        other = "".join(f"void {name}() {{ abort(); }}\n" for name in OF_THE_RUNTIME)
        script = """if True:
            import array, ctypes, sys
            other = ctypes.CDLL(sys.argv[1] + "/libcudart.so.13", ctypes.RTLD_GLOBAL)
            import warpwise as ww
            module = ww.load(source=sys.stdin.read(), name="beside.cu")
            x, out = array.array("f", [1, 2]), array.array("f", [0, 0])
            module.scale[1, 2](x, 2.0, 2)
            module.solve(x, out, 2)
            driver = ctypes.CDLL(str(ww._native.libraries_folder() / "libcuda.so.1"))  # as NVIDIA's runtime loads it
            version = ctypes.c_int()
            print(list(x), list(out), driver.cuDriverGetVersion(ctypes.byref(version)), version.value > 12000)
        """
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder, "libcudart.so.13")
            command = ["cc", "-shared", "-fPIC", "-Wl,-soname,libcudart.so.13", "-w", "-x", "c", "-", "-o", library]
            subprocess.run(command, input=f"#include <stdlib.h>\n{other}", text=True, check=True)
            run = subprocess.run(
                [sys.executable, "-c", script, folder], input=SOURCE, capture_output=True, text=True, timeout=120
            )
        self.assertEqual((run.stdout, run.returncode), ("[2.0, 4.0] [6.0, 12.0] 0 True\n", 0), run.stderr)


if __name__ == "__main__":
    unittest.main()
