"""%load_ext warpwise and %%cuda, in a shell of IPython."""

import base64
import contextlib
import io
import tempfile
import unittest
import unittest.mock
import zlib
from pathlib import Path

import warpwise as ww
from support import needs

PUZZLES = Path(__file__).resolve().parents[2] / "problems" / "puzzles"

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


PICTURE = r"""
#include <cstdio>
int main() {
  FILE* file = fopen("shades.ppm", "wb");
  fprintf(file, "P6\n# made here\n2 1\n255\n");
  fwrite("\1\2\3\4\5\6", 1, 6, file);
  fclose(file);
}
"""

TWICE = "__device__ int twice(int x) { return 2 * x; }\n"
USES_TWICE = r"""
#include <cstdio>
#include "twice.h"
__global__ void k(int* x) { *x = twice(21); }
int main() {
  int* x;
  cudaMallocManaged(&x, sizeof(int));
  k<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  printf("%d\n", *x);
}
"""

with_program = unittest.skipUnless(
    (ww._native.installation() / "bin" / "warpwise").exists(), "the program is not built"
)


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

    @with_program
    def test_programs(self):
        self.assertEqual(self.run_cell("-c '-DTHREADS=4' -a hello", PROGRAM), "3 hello\n")
        checked = self.run_cell("--check -c '-DTHREADS=5'", PROGRAM)
        self.assertIn("C0101", checked)
        self.assertIn("(exit code 1)", checked)
        traced = self.run_cell("--trace -c '-DTHREADS=4'", PROGRAM)
        self.assertIn("x[threadIdx.x] = threadIdx.x", traced)
        with self.assertRaisesRegex(ValueError, "one of --check, --profile and --trace"):
            self.run_cell("--trace --check", PROGRAM)
        self.assertIn("A100", self.run_cell("--profile --device=a100 -c '-DTHREADS=4'", PROGRAM))

    @with_program
    def test_a_program_that_crashes(self):
        crashed = self.run_cell("", "int main() { int* volatile p = nullptr; *p = 1; }")
        self.assertIn("(ended by SIGSEGV: segmentation fault)", crashed)

    def displayed(self, line, cell):
        """What a cell shows: a list of dictionaries by MIME type."""
        from IPython.utils.capture import capture_output

        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), capture_output() as shown:
            self.shell.run_cell_magic("cuda", line, cell)
        return [output.data for output in shown.outputs]

    @with_program
    def test_pictures_and_pages_appear(self):
        (picture,) = self.displayed("", PICTURE)
        self.assertTrue(base64.b64decode(picture["image/png"]).startswith(b"\x89PNG"))
        pages = self.displayed("--profile --html -c '-DTHREADS=4'", PROGRAM)
        self.assertIn("<iframe", pages[0]["text/html"])
        self.assertIn("fill", pages[0]["text/html"])

    def test_netpbm_as_png(self):
        from warpwise.notebook.show import png_of_netpbm

        png = png_of_netpbm(b"P5 2 2 255\n\x01\x02\x03\x04")
        body = png[png.index(b"IDAT") + 4 : png.index(b"IEND") - 8]
        self.assertEqual(zlib.decompress(body), b"\0\x01\x02\0\x03\x04")
        with self.assertRaisesRegex(ValueError, "ends before its last pixel"):
            png_of_netpbm(b"P5 2 2 255\n\x01")

    @with_program
    def test_programs_of_several_files(self):
        self.shell.run_cell_magic("cuda_group_save", "-n twice.h -g shared", TWICE)
        self.shell.run_cell_magic("cuda_group_save", "--name main.cu --group doubling", USES_TWICE)
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            self.shell.run_line_magic("cuda_group_run", "--group doubling")
        self.assertEqual(text.getvalue(), "42\n")
        self.shell.run_line_magic("cuda_group_delete", "--group doubling")
        with self.assertRaisesRegex(ValueError, "the group `doubling` has no source"):
            self.shell.run_line_magic("cuda_group_run", "-g doubling")
        with self.assertRaisesRegex(ValueError, "cannot be a name"):
            self.shell.run_cell_magic("cuda_group_save", "-n ../x.cu -g a", "int x;")

    @with_program
    def test_a_puzzle_is_judged(self):
        def judged(line, file):
            text = io.StringIO()
            with contextlib.redirect_stdout(text):
                self.shell.run_cell_magic("puzzle", f"{line} --no-sandbox", (PUZZLES / "map" / file).read_text())
            return text.getvalue()

        home = {"XDG_DATA_HOME": tempfile.mkdtemp()}
        with unittest.mock.patch.dict("os.environ", home):
            refused = judged("map", "wrong/leaves-out-the-last.cu")
            self.assertNotIn("accepted", refused)
            self.assertIn("accepted", judged("puzzles/map", "solutions/1-one-thread-per-element.cu"))

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
