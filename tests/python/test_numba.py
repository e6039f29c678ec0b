"""numba.cuda on the virtual GPU: kernels as people write them in their first hours, and the checkers over them."""

import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import warpwise as ww
from support import needs

WIDTH = 8  # threads of a block that shares memory
TAPS = 4
REACH = WIDTH + TAPS


def line_of(function, text):
    """The line of this file on which `text` stands in the function."""
    code = function.py_func.__code__
    lines = Path(code.co_filename).read_text().splitlines()
    for number in range(code.co_firstlineno, len(lines) + 1):
        if text in lines[number - 1]:
            return number
    raise AssertionError(text)


@needs("numba", "numpy")
class Kernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import warpwise.numba  # noqa: F401

    def test_map_zip_and_guard(self):
        import numpy as np
        from numba import cuda

        @cuda.jit
        def shift(out, a):
            out[cuda.threadIdx.x] = a[cuda.threadIdx.x] + 10

        @cuda.jit
        def add(out, a, b):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = a[i] + b[i]

        a, out = np.arange(4.0), np.zeros(4)
        shift[1, 4](out, a)
        np.testing.assert_array_equal(out, a + 10)
        a = np.arange(300, dtype=np.float32)
        out = np.zeros(300, np.float32)
        add[10, 32](out, a, 2 * a)
        np.testing.assert_array_equal(out, 3 * a)

    def test_two_dimensions_and_broadcast(self):
        import numpy as np
        from numba import cuda

        @cuda.jit
        def outer(out, column, row):
            i, j = cuda.grid(2)
            if i < out.shape[0] and j < out.shape[1]:
                out[i, j] = column[i, 0] + row[0, j]

        column, row = np.arange(5.0).reshape(5, 1), 10 * np.arange(7.0).reshape(1, 7)
        out = np.zeros((5, 7))
        outer[(2, 2), (4, 4)](out, column, row)
        np.testing.assert_array_equal(out, column + row)

    def test_shared_memory_pooling_and_convolution(self):
        import numba
        import numpy as np
        from numba import cuda

        @cuda.jit
        def pool(out, a):
            held = cuda.shared.array(WIDTH, numba.float32)
            i, t = cuda.grid(1), cuda.threadIdx.x
            held[t] = a[i] if i < a.size else 0
            cuda.syncthreads()
            total = held[t]
            for back in range(1, 3):
                if t >= back:
                    total += held[t - back]
            if i < out.size:
                out[i] = total

        @cuda.jit
        def convolve(out, a, weights):
            held = cuda.shared.array(REACH, numba.float32)
            taps = cuda.shared.array(TAPS, numba.float32)
            i, t = cuda.grid(1), cuda.threadIdx.x
            held[t] = a[i] if i < a.size else 0
            if t < TAPS:
                ahead = i + WIDTH
                held[t + WIDTH] = a[ahead] if ahead < a.size else 0
                taps[t] = weights[t]
            cuda.syncthreads()
            total = numba.float32(0)
            for k in range(TAPS):
                total += held[t + k] * taps[k]
            if i < out.size:
                out[i] = total

        a = np.arange(1, 9, dtype=np.float32)
        out = np.zeros(8, np.float32)
        pool[1, WIDTH](out, a)
        np.testing.assert_array_equal(out, [a[max(0, i - 2) : i + 1].sum() for i in range(8)])

        a = np.random.default_rng(1).random(37).astype(np.float32)
        weights = np.array([1, -2, 3, 0.5], np.float32)
        out = np.zeros(37, np.float32)
        convolve[5, WIDTH](out, a, weights)
        padded = np.concatenate([a, np.zeros(4, np.float32)])
        np.testing.assert_allclose(out, [padded[i : i + 4] @ weights for i in range(37)], rtol=1e-5, atol=1e-6)

    def test_sums_by_blocks_and_by_axes(self):
        import numba
        import numpy as np
        from numba import cuda

        @cuda.jit
        def dot(out, a, b):
            held = cuda.shared.array(64, numba.float64)
            t = cuda.threadIdx.x
            held[t] = a[t] * b[t] if t < a.size else 0
            cuda.syncthreads()
            half = 32
            while half > 0:
                if t < half:
                    held[t] += held[t + half]
                cuda.syncthreads()
                half //= 2
            if t == 0:
                out[0] = held[0]

        @cuda.jit
        def prefix(out, a):
            held = cuda.shared.array(64, numba.float64)
            t = cuda.threadIdx.x
            held[t] = a[t]
            cuda.syncthreads()
            step = 1
            while step < 64:
                before = held[t - step] if t >= step else 0.0
                cuda.syncthreads()
                held[t] += before
                cuda.syncthreads()
                step *= 2
            out[t] = held[t]

        @cuda.jit
        def rows(out, a):
            held = cuda.shared.array(WIDTH, numba.float64)
            row, t = cuda.blockIdx.x, cuda.threadIdx.x
            held[t] = a[row, t] if t < a.shape[1] else 0
            cuda.syncthreads()
            if t == 0:
                total = 0.0
                for k in range(WIDTH):
                    total += held[k]
                out[row] = total

        random = np.random.default_rng(2)
        a, b, out = random.random(50), random.random(50), np.zeros(1)
        dot[1, 64](out, a, b)
        self.assertAlmostEqual(out[0], a @ b, places=12)
        a, out = random.random(64), np.zeros(64)
        prefix[1, 64](out, a)
        np.testing.assert_allclose(out, np.cumsum(a))
        a, out = random.random((6, 7)), np.zeros(6)
        rows[6, WIDTH](out, a)
        np.testing.assert_allclose(out, a.sum(axis=1))

    def test_products_of_matrices_in_tiles(self):
        import numba
        import numpy as np
        from numba import cuda

        @cuda.jit
        def product(out, a, b):
            left = cuda.shared.array((WIDTH, WIDTH), numba.float32)
            right = cuda.shared.array((WIDTH, WIDTH), numba.float32)
            i, j = cuda.grid(2)
            ti, tj = cuda.threadIdx.x, cuda.threadIdx.y
            total = numba.float32(0)
            for k in range(0, a.shape[1], WIDTH):
                left[ti, tj] = a[i, k + tj] if i < a.shape[0] and k + tj < a.shape[1] else 0
                right[ti, tj] = b[k + ti, j] if k + ti < b.shape[0] and j < b.shape[1] else 0
                cuda.syncthreads()
                for m in range(WIDTH):
                    total += left[ti, m] * right[m, tj]
                cuda.syncthreads()
            if i < out.shape[0] and j < out.shape[1]:
                out[i, j] = total

        random = np.random.default_rng(3)
        a, b = random.random((19, 11)).astype(np.float32), random.random((11, 21)).astype(np.float32)
        out = np.zeros((19, 21), np.float32)
        product[(3, 3), (WIDTH, WIDTH)](out, a, b)
        np.testing.assert_allclose(out, a @ b, rtol=1e-5)

    def test_atomics(self):
        import numpy as np
        from numba import cuda

        @cuda.jit
        def count(bins, total, largest, smallest, values):
            i = cuda.grid(1)
            if i < values.size:
                cuda.atomic.add(bins, int(values[i] * 10), 1)
                cuda.atomic.add(total, 0, values[i])
                cuda.atomic.max(largest, 0, values[i])
                cuda.atomic.min(smallest, 0, values[i])

        @cuda.jit
        def swap(a, old):
            old[0] = cuda.atomic.compare_and_swap(a, 3, 7)
            old[1] = cuda.atomic.exch(a, 0, 9)

        values = np.random.default_rng(4).random(1000)
        bins, total = np.zeros(10, np.int32), np.zeros(1)
        largest, smallest = np.zeros(1), np.ones(1)
        count[8, 128](bins, total, largest, smallest, values)
        np.testing.assert_array_equal(bins, np.histogram(values, 10, (0, 1))[0])
        self.assertAlmostEqual(total[0], values.sum(), places=9)
        self.assertEqual((largest[0], smallest[0]), (values.max(), values.min()))
        a, old = np.array([3], np.int32), np.zeros(2, np.int32)
        swap[1, 1](a, old)
        self.assertEqual((list(old), a[0]), ([3, 7], 9))

    def test_mathematics_and_types(self):
        import numpy as np
        from numba import cuda

        @cuda.jit
        def functions(out, x):
            i = cuda.grid(1)
            if i < x.size:
                v = x[i]
                out[i] = math.exp(-v) * math.sin(v) + math.sqrt(v) * math.log(v) + math.pow(v, 1.5) + math.erf(v)

        for dtype, bound in ((np.float32, 1e-5), (np.float64, 1e-13)):
            x = np.linspace(0.1, 4, 500).astype(dtype)
            out = np.zeros_like(x)
            functions[4, 128](out, x)
            wide = x.astype(np.float64)
            erf = np.array([math.erf(v) for v in wide])
            want = np.exp(-wide) * np.sin(wide) + np.sqrt(wide) * np.log(wide) + wide**1.5 + erf
            np.testing.assert_allclose(out, want, rtol=bound)

        @cuda.jit
        def halve(out, z, n):
            i = cuda.grid(1)
            if i < z.size:
                out[i] = z[i] * z[i].conjugate()
                n[i] = n[i] // 3 - n[i] % 3

        z = np.array([1 + 2j, 3 - 1j], np.complex128)
        n = np.array([7, -7], np.int64)
        out = np.zeros(2, np.complex128)
        halve[1, 2](out, z, n)
        np.testing.assert_array_equal(out, z * z.conj())
        np.testing.assert_array_equal(n, np.array([7, -7]) // 3 - np.array([7, -7]) % 3)

    def test_device_functions_local_arrays_and_warps(self):
        import numba
        import numpy as np
        from numba import cuda

        @cuda.jit(device=True)
        def smallest_of(a, n):
            best = a[0]
            for i in range(1, n):
                best = min(best, a[i])
            return best

        @cuda.jit(fastmath=True)
        def window(out, a):
            near = cuda.local.array(3, numba.int32)
            i = cuda.grid(1)
            for k in range(3):
                near[k] = a[(i + k) % a.size]
            out[i] = smallest_of(near, 3)

        @cuda.jit
        def lanes(out, a):
            t = cuda.threadIdx.x
            v = a[t]
            v += cuda.shfl_xor_sync(0xFFFFFFFF, v, 1)
            ballot = cuda.ballot_sync(0xFFFFFFFF, v > 20)
            same = cuda.match_any_sync(0xFFFFFFFF, t // 8)
            every, agree = cuda.match_all_sync(0xFFFFFFFF, t // 32)
            out[t] = v + cuda.popc(ballot) + cuda.popc(same) + cuda.popc(every) + agree

        a = np.random.default_rng(5).integers(0, 100, 32).astype(np.int32)
        out = np.zeros(32, np.int32)
        window[1, 32](out, a)
        np.testing.assert_array_equal(out, np.minimum(np.minimum(a, np.roll(a, -1)), np.roll(a, -2)))
        a = np.arange(32, dtype=np.int32)
        lanes[1, 32](out, a)
        pairs = a + (a ^ 1)
        np.testing.assert_array_equal(out, pairs + (pairs > 20).sum() + 8 + 32 + 1)

    def test_device_arrays_streams_and_events(self):
        import numpy as np
        from numba import cuda

        @cuda.jit
        def double(a):
            i = cuda.grid(1)
            if i < a.size:
                a[i] *= 2

        stream = cuda.stream()
        begin, end = cuda.event(), cuda.event()
        a = cuda.to_device(np.arange(1000.0), stream=stream)
        begin.record(stream)
        for _ in range(3):
            double[8, 128, stream](a)
        end.record(stream)
        stream.synchronize()
        self.assertGreaterEqual(begin.elapsed_time(end), 0)
        np.testing.assert_array_equal(a.copy_to_host(), 8 * np.arange(1000.0))
        self.assertIn("H100", cuda.get_current_device().name.decode())
        self.assertTrue(cuda.is_available())

    def test_dynamic_shared_memory_and_a_grid_that_waits(self):
        import numba
        import numpy as np
        from numba import cuda

        @cuda.jit
        def turn(a):
            held = cuda.shared.array(0, numba.int32)
            t = cuda.threadIdx.x
            held[t] = a[t]
            cuda.syncthreads()
            a[t] = held[cuda.blockDim.x - 1 - t]

        a = np.arange(64, dtype=np.int32)
        turn[1, 64, 0, 64 * 4](a)
        np.testing.assert_array_equal(a, np.arange(64)[::-1])

        @cuda.jit
        def steps(a):
            grid = cuda.cg.this_grid()
            i = cuda.grid(1)
            for _ in range(3):
                before = a[(i + 1) % a.size]
                grid.sync()
                a[i] = before
                grid.sync()

        a = np.arange(64, dtype=np.int32)
        steps[4, 16](a)
        np.testing.assert_array_equal(a, (np.arange(64) + 3) % 64)


@needs("numba", "numpy")
class Checked(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import warpwise.numba  # noqa: F401
        from numba import cuda

        @cuda.jit
        def unguarded(out, a):
            i = cuda.grid(1)
            out[i] = a[i] + 1  # out of bounds

        @cuda.jit
        def racing(out):
            out[0] += cuda.threadIdx.x  # a race

        cls.unguarded, cls.racing = staticmethod(unguarded), staticmethod(racing)

    def test_out_of_bounds_at_the_line(self):
        import numpy as np

        a, out = np.arange(100.0), np.zeros(100)
        with ww.check() as report:
            try:
                self.unguarded[4, 32](out, a)
            except ww.KernelError:
                pass
        finding = report.findings[0]
        self.assertEqual(finding.code, "C0101", report)
        self.assertTrue(finding.file.endswith("test_numba.py"), finding)
        self.assertEqual(finding.line, line_of(self.unguarded, "# out of bounds"))
        self.assertEqual(finding.kernel, "unguarded")
        self.assertIn("`a` (800 bytes)", str(report))

    def test_a_race_at_the_line(self):
        import numpy as np

        out = np.zeros(1, np.int64)
        with ww.check() as report:
            self.racing[1, 64](out)
        codes = {f.code for f in report.findings}
        self.assertTrue(codes and codes <= {"C0201", "C0202"}, report)
        self.assertEqual({f.line for f in report.findings}, {line_of(self.racing, "# a race")})

    def test_right_kernels_are_clean_and_run_afterwards(self):
        import numpy as np

        a, out = np.arange(128.0), np.zeros(128)
        self.unguarded[4, 32](out, a)
        with ww.check() as report:
            self.unguarded[4, 32](out, a)
        self.assertTrue(report.clean, report)
        self.unguarded[4, 32](out, a)
        np.testing.assert_array_equal(out, a + 1)

    def test_a_profile(self):
        import numpy as np

        a, out = np.arange(128.0), np.zeros(128)
        with ww.profile(exact=True, device="a100") as report:
            self.unguarded[4, 32](out, a)
        self.assertIn("A100", str(report))
        self.assertEqual(len(report.launches), 1)

    def test_a_failed_kernel_is_an_exception_and_the_next_one_runs(self):
        import numpy as np
        from numba import cuda

        @cuda.jit
        def far(a):
            a[cuda.threadIdx.x + (1 << 40)] = 1

        held = cuda.to_device(np.arange(8.0))
        with self.assertRaisesRegex(ww.KernelError, "illegal memory access.*far"):
            far[1, 8](np.zeros(8))
        del held
        a, out = np.arange(128.0), np.zeros(128)
        self.unguarded[4, 32](out, a)
        np.testing.assert_array_equal(out, a + 1)


SCRIPT = """
import sys
import numpy as np
from numba import cuda

@cuda.jit
def show(a):
    print("lane", cuda.threadIdx.x, a[cuda.threadIdx.x])

show[1, 2](np.array([5, 6]))
cuda.synchronize()
print(sys.argv[1])
"""


def run_script(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.py"
        path.write_text(text)
        words = [sys.executable, "-W", "ignore", "-m", "warpwise.numba", *options, str(path), "given"]
        return subprocess.run(words, capture_output=True, text=True)


@needs("numba", "numpy")
class Scripts(unittest.TestCase):
    def test_a_script_that_knows_nothing_of_warpwise(self):
        done = run_script(SCRIPT)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout, "lane 0 5\nlane 1 6\ngiven\n")

    def test_a_script_under_the_checkers(self):
        done = run_script(SCRIPT, "--check")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = run_script(SCRIPT.replace("show[1, 2]", "show[1, 3]"), "--check", "--device=a100")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"script\.py:8:\d+: error\[C0101\]")


if __name__ == "__main__":
    unittest.main()
