"""What a kernel does wrong is an exception with the finding as its text, and the interpreter goes on."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest
from array import array

import warpwise as ww

SOURCE = """
__global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }
__global__ void far(int* x) { x[1 << 26] = 1; }
__global__ void null(int* x) { *(volatile int*)nullptr = x[0]; }
__global__ void trap() { __trap(); }
__global__ void claim(int* x) { assert(x[0] == 7); }
__global__ void forever(volatile int* x) { while (*x == 0) {} }
__device__ int counter;
__global__ void count(int* out) { *out = ++counter; }
__device__ float* kept;
extern "C" void keep(int n) { float* p; cudaMalloc(&p, n); cudaMemcpyToSymbol(kept, &p, sizeof p); cudaFree(p); }
__global__ void use_kept() { kept[0] = 1; }
extern "C" void fails() { cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyHostToDevice); }
"""


class Failures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = ww.load(source=SOURCE, name="failures.cu")

    def still_works(self):
        x = array("f", [1, 2, 3])
        self.module.scale[1, 3](x, 2.0)
        self.assertEqual(list(x), [2, 4, 6])

    def test_an_access_outside_of_memory(self):
        x = array("i", [5])
        with self.assertRaisesRegex(ww.KernelError, r"(?s)cudaErrorIllegalAddress.*far.*failures\.cu:3"):
            self.module.far[1, 1](x)
        self.assertEqual(x[0], 5)
        self.still_works()

    def test_a_null_pointer(self):
        with self.assertRaisesRegex(ww.KernelError, r"(?s)cudaErrorIllegalAddress.*failures\.cu:4"):
            self.module.null[1, 1](array("i", [5]))
        self.still_works()

    def test_traps_and_asserts(self):
        with self.assertRaises(ww.KernelError):
            self.module.trap[1, 1]()
        self.still_works()
        with self.assertRaisesRegex(ww.KernelError, "cudaErrorAssert"):
            self.module.claim[1, 1](array("i", [5]))
        self.still_works()

    def test_memory_that_has_been_freed(self):
        self.module.keep(64 << 20)
        with self.assertRaisesRegex(ww.KernelError, "freed"):
            self.module.use_kept[1, 1]()
        self.still_works()

    def test_a_launch_that_cannot_be(self):
        with self.assertRaisesRegex(ww.KernelError, r"a block of \(2048, 1, 1\): the limits are"):
            self.module.scale[1, 2048](array("f", [1]), 1.0)
        with self.assertRaisesRegex(ww.KernelError, "no dimension may be 0"):
            self.module.scale[0, 1](array("f", [1]), 1.0)
        self.still_works()

    def test_an_error_that_a_host_function_leaves(self):
        with self.assertRaisesRegex(ww.KernelError, "cudaErrorInvalidValue"):
            self.module.fails()
        self.still_works()

    def test_device_variables_start_anew_after_a_failure(self):
        out = array("i", [0])
        self.module.count[1, 1](out)
        first = out[0]
        self.module.count[1, 1](out)
        self.assertEqual(out[0], first + 1)
        with self.assertRaises(ww.KernelError):
            self.module.trap[1, 1]()
        self.module.count[1, 1](out)
        self.assertEqual(out[0], 1)

    def test_an_interrupt_ends_a_kernel(self):
        def interrupt():
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            self.module.forever[1, 1](array("i", [0]))
        thread.join()
        self.still_works()

    def test_an_interrupt_ends_a_kernel_of_another_thread(self):
        caught = []

        def run():
            try:
                self.module.forever[1, 1](array("i", [0]))
            except ww.Interrupted as error:
                caught.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        time.sleep(0.5)
        with self.assertRaises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            thread.join()
        thread.join()
        self.assertRegex(str(caught[0]), "(?s)U0031.*forever")
        self.still_works()

    def test_a_timeout_ends_a_kernel(self):
        program = """
            import warpwise as ww
            from array import array
            print(ww.open_gpu("a100", timeout=0.3).name)
            module = ww.load(source="__global__ void forever(volatile int* x) { while (*x == 0) {} }")
            try:
                module.forever[1, 1](array("i", [0]))
            except ww.KernelError as error:
                print(error.code)
        """
        run = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=120)
        self.assertIn("A100", run.stdout, run.stderr)
        self.assertIn("cudaErrorLaunchTimeout", run.stdout)

    def test_many_threads_call(self):
        wrong = []

        def run(number):
            for _ in range(20):
                x = array("f", [number] * 8)
                self.module.scale[1, 8](x, 2.0)
                if list(x) != [2 * number] * 8:
                    wrong.append(number)

        threads = [threading.Thread(target=run, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
