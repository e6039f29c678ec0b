"""%load_ext warpwise and %%cuda, in a shell of IPython."""

import contextlib
import io
import unittest

import warpwise as ww
from support import needs

PROGRAM = """
#include <cstdio>
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }
int main(int argc, char** argv) {
  int* x;
  cudaMallocManaged(&x, 4 * sizeof(int));
  fill<<<1, THREADS>>>(x);
  cudaDeviceSynchronize();
  printf("%d %s\\n", x[3], argc > 1 ? argv[1] : "-");
  cudaFree(x);
}
"""


@needs("IPython")
class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from IPython.core.interactiveshell import InteractiveShell

        cls.shell = InteractiveShell.instance()
        cls.shell.run_line_magic("load_ext", "warpwise")

    def run_cell(self, line, cell):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            self.shell.run_cell_magic("cuda", line, cell)
        return text.getvalue()

    @unittest.skipUnless((ww._native.installation() / "bin" / "warpwise").exists(), "the program is not built")
    def test_programs(self):
        self.assertEqual(self.run_cell("-c '-DTHREADS=4' -a hello", PROGRAM), "3 hello\n")
        checked = self.run_cell("--check -c '-DTHREADS=5'", PROGRAM)
        self.assertIn("C0101", checked)
        self.assertIn("(exit code 1)", checked)
        self.assertIn("A100", self.run_cell("--profile --device=a100 -c '-DTHREADS=4'", PROGRAM))

    def test_functions_become_names(self):
        from array import array

        self.run_cell("", "__global__ void set(int* x) { *x = 7; }")
        x = array("i", [0])
        self.shell.user_ns["set"][1, 1](x)
        self.assertEqual(x[0], 7)
        self.run_cell("--name=other", "__global__ void set(int* x) { *x = 8; }")
        self.shell.user_ns["other"].set[1, 1](x)
        self.assertEqual(x[0], 8)

    def test_wrong_options_are_said(self):
        with self.assertRaisesRegex(ValueError, "%%cuda: unrecognized arguments: --fast"):
            self.shell.run_cell_magic("cuda", "--fast", "__global__ void f() {}")
        with self.assertRaisesRegex(ValueError, "a cell without main"):
            self.shell.run_cell_magic("cuda", "--check", "__global__ void f() {}")


if __name__ == "__main__":
    unittest.main()
