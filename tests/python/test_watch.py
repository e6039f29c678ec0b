"""ww.check and ww.profile, around calls and with one."""

import json
import unittest
from array import array

import warpwise as ww

SOURCE = """
__global__ void scale(float* x, float by) { x[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
__global__ void race(int* total) { *total += threadIdx.x; }
__global__ void unread(int* out) { __shared__ int s[32]; out[threadIdx.x] = s[threadIdx.x]; }
__device__ int counter;
__global__ void count(int* out) { *out = ++counter; }
__global__ void trap() { __trap(); }
"""


class Check(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = ww.load(source=SOURCE, name="watched.cu")

    def test_a_right_kernel_is_clean(self):
        x = array("f", range(64))
        with ww.check() as report:
            self.module.scale[2, 32](x, 2.0)
        self.assertTrue(report.clean, str(report))
        self.assertTrue(report)
        self.assertEqual(report.findings, [])
        self.assertEqual(list(x), [2.0 * i for i in range(64)])
        self.assertIn("clean", str(report))

    def test_out_of_bounds_names_line_and_parameter(self):
        x = array("f", range(64))
        with ww.check() as report:
            try:
                self.module.scale[3, 32](x, 2.0)
            except ww.KernelError:
                pass
        self.assertFalse(report)
        finding = report.findings[0]
        self.assertEqual((finding.code, finding.severity, finding.line), ("C0101", "error", 2))
        self.assertIn("scale", finding.kernel)
        self.assertIn("`x` (256 bytes)", str(report))
        self.assertTrue(finding.file.endswith("watched.cu"))

    def test_a_race(self):
        report = ww.check(self.module.race[1, 64], array("i", [0]), only="race")
        self.assertEqual({f.code for f in report.findings} & {"C0201", "C0202"}, {f.code for f in report.findings})
        self.assertTrue(report.findings)
        self.assertIn("byte 0 of `total` (4 bytes)", str(report))

    def test_behind_a_kernel_that_fails_all_is_checked(self):
        with ww.check() as report:
            with self.assertRaises(ww.KernelError):
                self.module.trap[1, 1]()
            self.module.race[1, 64](array("i", [0]))
        self.assertIn("C0201", {f.code for f in report.findings})
        self.assertNotIn("not checked", str(report))

    def test_uninitialised_memory(self):
        report = ww.check(self.module.unread[1, 32], array("i", [0] * 32))
        self.assertIn("C03", "".join(f.code for f in report.findings))

    def test_json_is_the_commands(self):
        report = ww.check(self.module.scale[1, 32], array("f", range(32)), 2.0)
        read = json.loads(report.to_json())
        self.assertEqual((read["verdict"], read["findings"]), ("clean", []))

    def test_a_failure_inside_is_raised_and_reported(self):
        with self.assertRaises(ww.KernelError):
            with ww.check() as report:
                self.module.trap[1, 1]()
        self.assertIn("trap", str(report) + report.to_json())
        self.module.scale[1, 1](array("f", [1]), 1.0)

    def test_variables_start_anew(self):
        out = array("i", [0])
        self.module.count[1, 1](out)
        with ww.check():
            self.module.count[1, 1](out)
            self.assertEqual(out[0], 1)

    def test_words(self):
        with self.assertRaisesRegex(ww.SetupError, "there is no checker `everything`"):
            ww.check(only="everything")
        with self.assertRaisesRegex(ww.SetupError, "inside one another"):
            with ww.check():
                with ww.profile():
                    pass


class Profile(unittest.TestCase):
    def test_counters(self):
        module = ww.load(source=SOURCE, name="watched.cu")
        x = array("f", range(1024))
        with ww.profile(exact=True) as report:
            module.scale[8, 128](x, 2.0)
            module.scale[8, 128](x, 0.5)
        self.assertEqual(len(report.launches), 2)
        counters = report.counters["scale"]
        self.assertEqual(counters["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"], 2 * 32)
        self.assertIn("scale", str(report))
        self.assertIn("kernels", report.model)
        self.assertEqual(list(x), [float(i) for i in range(1024)])

    def test_another_gpu(self):
        module = ww.load(source=SOURCE, name="watched.cu")
        report = ww.profile(module.scale[1, 32], array("f", range(32)), 2.0, device="a100")
        self.assertIn("A100", str(report))


if __name__ == "__main__":
    unittest.main()
