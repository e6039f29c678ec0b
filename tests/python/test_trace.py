"""ww.trace: a block of a launch, step by step."""

import json
import os
import tempfile
import unittest
import urllib.request
from array import array
from unittest import mock

import warpwise as ww

SOURCE = """
__global__ void stride(const float* x, float* y, int by) {
  int i = threadIdx.x;
  float v = x[i * by];
  if (i % 2 == 0) v += 1;
  __syncthreads();
  y[blockIdx.x * blockDim.x + i] = v;
}
__global__ void other(float* y) { y[threadIdx.x] = 0; }
__global__ void outside(float* y, int n) { if (blockIdx.x == 2) y[n + threadIdx.x] = 1; }
extern "C" void both(const float* x, float* y, int by) {
  other<<<1, 32>>>(y);
  stride<<<3, 64>>>(x, y, by);
  other<<<2, 32>>>(y);
}
"""


@unittest.skipUnless((ww._native.installation() / "bin" / "warpwise").exists(), "the program is not built")
class Trace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = ww.load(source=SOURCE, name="traced.cu")
        cls.x, cls.y = array("f", range(512)), array("f", [0] * 192)

    def test_a_call(self):
        recording = ww.trace(self.module.stride[3, 64], self.x, self.y, 8, block=2)
        self.assertEqual(self.y[129], 8)
        self.assertEqual(recording.kernel.partition("(")[0], "stride")
        self.assertEqual(recording.block, (2, 0, 0))
        self.assertEqual([warp["threads"] for warp in recording.warps], [32, 32])
        self.assertIn("stride", str(recording))
        self.assertIn("traced.cu", str(recording))
        warp, number = recording.next("uncoalesced")
        step = recording.step(warp, number)
        self.assertEqual((step["accesses"][0]["cost"]["sectors"], step["frames"][0]["line"]), (32, 4))
        stores = [s for s in recording.steps(1) if recording.summary["sites"][s["site"]]["kind"] == "store"]
        self.assertEqual(len(stores), 1)
        addresses = stores[0]["accesses"][0]["addresses"]
        self.assertEqual([a - addresses[0] for a in addresses], list(range(0, 128, 4)))
        self.assertGreater(sum(line["cost"].get("sectors", 0) for line in recording.lines()), 64)

    def test_a_launch_among_others(self):
        with ww.trace(kernel="stride", block=1) as recording:
            self.module.both(self.x, self.y, 1)
        self.assertEqual((recording.kernel.partition("(")[0], recording.block), ("stride", (1, 0, 0)))
        with ww.trace(kernel="other", launch=1) as recording:
            self.module.both(self.x, self.y, 1)
        self.assertEqual(recording.summary["grid"], [2, 1, 1])
        with ww.trace(launch=1) as recording:
            self.module.both(self.x, self.y, 1)
        self.assertEqual(recording.kernel.partition("(")[0], "stride")

    def test_values_of_a_line(self):
        recording = ww.trace(self.module.stride[1, 32], self.x, self.y, 1, values=4)
        values = [s["values"][0]["lanes"] for s in recording.steps() if s.get("values")]
        self.assertIn([str(i) for i in range(32)], values)

    def test_a_finding_chooses_the_block(self):
        y = array("f", [0] * 64)
        launch = self.module.outside[4, 32]
        with ww.check() as report:
            with self.assertRaises(ww.KernelError):
                launch(y, 1 << 28)
        self.assertEqual(report.findings[0].code, "C0101")
        with self.assertRaises(ww.KernelError):
            with ww.trace(findings=report) as recording:
                launch(y, 1 << 28)
        self.assertEqual((recording.kernel.partition("(")[0], recording.block), ("outside", (2, 0, 0)))
        self.assertEqual(recording.summary["chosen_by"], "finding")
        marks = recording.summary["findings"]["marks"]
        self.assertTrue(marks)
        step = recording.step(marks[0]["warp"], marks[0]["step"])
        self.assertEqual((step["site"]["kind"], step["frames"][0]["line"]), ("store", 10))

    def test_saved_and_served(self):
        if not (ww._native.installation() / "share/warpwise/page/app.js.gz").exists():
            self.skipTest("the page was not built: npm is missing")
        recording = ww.trace(self.module.stride[1, 32], self.x, self.y, 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "stride.wwt")
            recording.save(path)
            with open(path, "rb") as file:
                self.assertEqual(file.read(8), b"WWTRACE1")
        with mock.patch("webbrowser.open") as opened:
            link = recording.show()
        opened.assert_called_once_with(link)
        with urllib.request.urlopen(urllib.request.Request(link, headers={"Accept-Encoding": "gzip"})) as page:
            self.assertEqual(page.status, 200)
        recording.close()

    def test_the_page_holds_its_steps(self):
        recording = ww.trace(self.module.stride[1, 64], self.x, self.y, 1)
        page = recording.page()
        data = json.loads(page.partition("const data = ")[2].partition(";\n")[0])
        self.assertEqual([len(w["list"]) for w in data["warps"]], [w["steps"] for w in recording.warps])
        self.assertIn(SOURCE.split("\n")[1], next(iter(data["files"].values())))
        self.assertIn("<iframe sandbox", recording._repr_html_())
        self.assertNotIn("http://", page)

    def test_what_is_not_there(self):
        with self.assertRaisesRegex(ww.SetupError, "V0006.*there is no launch 0 of `nothing`: the program made 0"):
            ww.trace(self.module.stride[1, 32], self.x, self.y, 1, kernel="nothing")
        with self.assertRaisesRegex(ww.SetupError, "V0007.*has 1 blocks"):
            ww.trace(self.module.stride[1, 32], self.x, self.y, 1, block=5)
        with ww.trace() as recording:
            with self.assertRaisesRegex(ww.SetupError, "there is no recording yet"):
                recording.steps()
            with self.assertRaisesRegex(ww.SetupError, "inside one another"):
                ww.check(self.module.stride[1, 32], self.x, self.y, 1)
            self.module.stride[1, 32](self.x, self.y, 1)
        with self.assertRaisesRegex(ww.SetupError, "the block has warps 0 to 0"):
            recording.steps(warp=3)
        with self.assertRaises(ZeroDivisionError):
            with ww.trace() as recording:
                1 / 0
        self.assertIn("V0006", str(recording))
        self.module.stride[1, 32](self.x, self.y, 1)


if __name__ == "__main__":
    unittest.main()
