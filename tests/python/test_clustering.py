"""projects/clustering: k-means against its plain reference."""

import sys
import unittest
from pathlib import Path

import warpwise as ww
from support import needs

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "projects" / "clustering"))


def data_sets():
    """Ten sets: points, clusters. Around centres, in lines and squares, with sizes about a block, and many dimensions."""
    import numpy as np

    random = np.random.default_rng(11)

    def around(count, dimensions, clusters, spread):
        centres = random.uniform(-10, 10, (clusters, dimensions))
        return (centres[random.integers(clusters, size=count)] + random.normal(0, spread, (count, dimensions))).astype(
            np.float32
        )

    yield around(127, 2, 3, 1.0), 3
    yield around(256, 2, 4, 2.0), 4
    yield around(257, 3, 5, 1.0), 5
    yield around(1000, 1, 6, 0.5), 6
    yield around(2000, 8, 10, 3.0), 10
    yield around(500, 64, 16, 1.0), 16
    yield random.uniform(0, 1, (900, 2)).astype(np.float32), 7
    yield np.linspace(0, 1, 333, dtype=np.float32).reshape(-1, 1) ** 2, 4
    yield np.repeat(around(20, 2, 4, 0.1), 10, axis=0), 4
    yield around(40, 2, 1, 1.0), 1


@needs("numpy")
class KMeans(unittest.TestCase):
    def test_labels_are_the_references_on_ten_data_sets(self):
        import kmeans
        import numpy as np

        self.assertGreaterEqual(len(kmeans.STEPS), 2)
        for number, (points, clusters) in enumerate(data_sets()):
            start = kmeans.start_centres(points, clusters, seed=number)
            want = kmeans.reference(points, clusters, start)
            for step in kmeans.STEPS:
                with self.subTest(data_set=number, step=step):
                    found = kmeans.kmeans(points, clusters, start=start, step=step)
                    np.testing.assert_array_equal(found.labels, want.labels)
                    np.testing.assert_allclose(found.centres, want.centres, rtol=1e-5, atol=1e-5)
                    self.assertEqual(found.iterations, want.iterations)

    def test_the_distance_never_grows(self):
        import kmeans

        for points, clusters in list(data_sets())[4:7]:
            seen = []
            kmeans.kmeans(points, clusters, watcher=lambda i, l, c: seen.append(kmeans.inertia_of(points, l, c)))
            self.assertGreater(len(seen), 1)
            for before, after in zip(seen, seen[1:]):
                self.assertLessEqual(after, before * (1 + 1e-6))

    def test_a_cluster_without_points_keeps_its_centre(self):
        import kmeans
        import numpy as np

        points = np.array([[0, 0], [1, 0], [0, 1]], np.float32)
        start = np.array([[0, 0], [50, 50]], np.float32)
        for step in kmeans.STEPS:
            found = kmeans.kmeans(points, 2, start=start, step=step)
            np.testing.assert_array_equal(found.labels, 0)
            np.testing.assert_array_equal(found.centres[1], [50, 50])

    def test_every_access_is_right(self):
        import kmeans

        points, clusters = next(data_sets())
        for step in kmeans.STEPS:
            with ww.check() as report:
                kmeans.kmeans(points, clusters, step=step, most=3)
            self.assertTrue(report.clean, report)

    @needs("torch")
    def test_tensors(self):
        import kmeans
        import torch

        points = torch.cat([torch.randn(50, 2), torch.randn(50, 2) + 20])
        labels = kmeans.kmeans(points, 2).labels
        self.assertEqual(len(set(labels[:50])), 1)
        self.assertNotEqual(labels[0], labels[99])

    def test_a_picture(self):
        import kmeans
        import numpy as np

        points = np.array([[0, 0], [10, 10]], np.float32)
        image = kmeans.picture(points, np.array([0, 1]), points, size=64)
        self.assertEqual(image.shape, (64, 64, 3))
        self.assertEqual((image == 255).all(2).sum(), 72)  # two squares of 6 by 6

    def test_what_is_refused(self):
        import kmeans
        import numpy as np

        with self.assertRaisesRegex(ValueError, "3 clusters of 2 points"):
            kmeans.kmeans(np.zeros((2, 2)), 3)
        with self.assertRaisesRegex(ValueError, "not finite"):
            kmeans.kmeans(np.array([[np.nan, 0]]), 1)
        with self.assertRaisesRegex(ValueError, "of shape \\(4,\\)"):
            kmeans.kmeans(np.zeros(4), 1)
        with self.assertRaisesRegex(ValueError, "the start has the shape"):
            kmeans.kmeans(np.zeros((4, 2)), 2, start=np.zeros((2, 3)))


if __name__ == "__main__":
    unittest.main()
