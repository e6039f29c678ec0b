"""The worked examples of examples/python: they learn what they say, and their gradients are right."""

import sys
import unittest
from pathlib import Path

from support import needs

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))


@needs("numpy")
class Micrograd(unittest.TestCase):
    def test_gradients_and_training(self):
        import micrograd

        self.assertLess(micrograd.gradient_error(), 1e-7)
        self.assertGreater(micrograd.train(steps=120), 0.97)

    def test_every_access_is_right(self):
        import micrograd
        import warpwise as ww

        with ww.check() as report:
            self.assertLess(micrograd.gradient_error(), 1e-7)
        self.assertTrue(report.clean, report)


@needs("torch", "numpy")
class CrossEntropy(unittest.TestCase):
    def test_values_gradients_and_accesses(self):
        import cross_entropy

        cross_entropy.check()

    def test_training(self):
        import cross_entropy

        self.assertGreater(cross_entropy.train(steps=120), 0.97)


if __name__ == "__main__":
    unittest.main()
