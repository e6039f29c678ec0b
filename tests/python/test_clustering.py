"""projects/clustering: k-means, DBSCAN and the mixture with a prior, each against its plain reference."""

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

        self.assertGreaterEqual(len(kmeans.STEPS), 3)
        for number, (points, clusters) in enumerate(data_sets()):
            start = kmeans.start_centres(points, clusters, seed=number)
            want = kmeans.reference(points, clusters, start)
            for step in kmeans.STEPS:
                with self.subTest(data_set=number, step=step):
                    found = kmeans.kmeans(points, clusters, start=start, step=step)
                    np.testing.assert_array_equal(found.labels, want.labels)
                    np.testing.assert_allclose(found.centres, want.centres, rtol=1e-5, atol=1e-5)
                    self.assertEqual(found.iterations, want.iterations)

    def test_products_decide_near_ties_as_the_reference_does(self):
        import kmeans
        import numpy as np

        random = np.random.default_rng(31)
        # More centres than a block keeps at a time; points whose scores are rounded to the same; ties, where the first
        # centre counts; copies of centres.
        many = random.normal(0, 1, (300, 20)).astype(np.float32)
        far = (1000 + random.uniform(0, 1, (300, 5))).astype(np.float32)
        ties = np.array([[x, y] for x in range(-8, 9) for y in range(-8, 9)], np.float32)
        # Points that half precision has no number for beside these centres, and coordinates that vanish in it.
        huge = random.normal(0, 1, (200, 33)).astype(np.float32)
        huge[::3] *= 1e6
        small = (10.0 ** random.uniform(-12, 0, (200, 7))).astype(np.float32)
        for name, points, start in (
            ("many", many, many[:150]),
            ("far", far, far[:20]),
            ("ties", ties, ties[::36] + np.float32(0.5)),
            ("copies", ties, np.repeat(ties[:3], 40, axis=0)),
            ("huge", huge, huge[1:200:3]),
            ("small", small, small[:70]),
            ("nothing", np.zeros((70, 3), np.float32), np.zeros((4, 3), np.float32)),
        ):
            want = kmeans.reference(points, len(start), start, most=1)
            for step in kmeans.STEPS[3:]:
                with self.subTest(name, step=step):
                    found = kmeans.kmeans(points, len(start), start=start, most=1, step=step)
                    np.testing.assert_array_equal(found.labels, want.labels)
                    np.testing.assert_allclose(found.centres, want.centres, rtol=1e-5, atol=1e-5)

    def test_the_step_suits_the_size(self):
        import kmeans
        import room

        self.assertEqual(room.fastest(kmeans.STEPS, 2, 16), "3_points_in_registers")
        self.assertEqual(room.fastest(kmeans.STEPS, 64, 1024), "8_one_kernel")
        self.assertEqual(room.fastest(kmeans.STEPS, 32, 32), "8_one_kernel")
        self.assertEqual(room.fastest(kmeans.STEPS, 32, 32, architecture=80), "3_points_in_registers")
        self.assertEqual(room.fastest(kmeans.STEPS, 64, 1024, architecture=80), "4_products")
        self.assertEqual(room.fastest(kmeans.STEPS, 65, 1000), "1_thread_per_point")

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
        import numpy as np

        points, clusters = next(data_sets())
        for step in kmeans.STEPS:
            with ww.check() as report:
                kmeans.kmeans(points, clusters, step=step, most=3)
            self.assertTrue(report.clean, report)
        # Far from zero all points are near ties.
        far = (1000 + np.random.default_rng(5).uniform(0, 1, (90, 5))).astype(np.float32)
        for step in kmeans.STEPS[3:]:
            with ww.check() as report:
                kmeans.kmeans(far, 20, start=far[:20], step=step, most=1)
            self.assertTrue(report.clean, report)

    @needs("torch")
    def test_tensors(self):
        import kmeans
        import torch

        points = torch.cat([torch.randn(50, 2), torch.randn(50, 2) + 20])
        labels = kmeans.kmeans(points, 2).labels
        self.assertEqual(len(set(labels[:50])), 1)
        self.assertNotEqual(labels[0], labels[99])

    def test_what_is_refused(self):
        import kmeans
        import numpy as np

        with self.assertRaisesRegex(ValueError, "3 clusters of 2 points"):
            kmeans.kmeans(np.zeros((2, 2)), 3)
        with self.assertRaisesRegex(ValueError, "no room for 64 centres of 64 dimensions"):
            kmeans.kmeans(np.zeros((64, 64)), 64, step=kmeans.STEPS[2])
        with self.assertRaisesRegex(ValueError, "not finite"):
            kmeans.kmeans(np.array([[np.nan, 0]]), 1)
        with self.assertRaisesRegex(ValueError, "of shape \\(4,\\)"):
            kmeans.kmeans(np.zeros(4), 1)
        with self.assertRaisesRegex(ValueError, "the start has the shape"):
            kmeans.kmeans(np.zeros((4, 2)), 2, start=np.zeros((2, 3)))


def scattered():
    """Ten sets: points, reach, least. Moons, rings, blobs with noise, lines, one to five dimensions, copies, noise alone."""
    import numpy as np

    random = np.random.default_rng(12)

    def around(count, dimensions, clusters, spread):
        centres = random.uniform(-10, 10, (clusters, dimensions))
        return centres[random.integers(clusters, size=count)] + random.normal(0, spread, (count, dimensions))

    def noise(count, dimensions):
        return random.uniform(-12, 12, (count, dimensions))

    turn = np.linspace(0, np.pi, 130)
    moon = np.stack([np.cos(turn), np.sin(turn)], 1)
    moons = np.concatenate([moon, [1, 0.5] - moon]) + random.normal(0, 0.06, (260, 2))
    angle = random.uniform(0, 2 * np.pi, 400)
    rings = np.stack([np.cos(angle), np.sin(angle)], 1) * np.where(np.arange(400) < 150, 1, 2.5)[:, None]
    yield moons, 0.2, 5
    yield rings + random.normal(0, 0.05, (400, 2)), 0.35, 4
    yield np.concatenate([around(350, 2, 4, 0.6), noise(60, 2)]), 0.7, 6
    yield np.concatenate([around(240, 3, 3, 0.8), noise(17, 3)]), 1.2, 5
    yield around(255, 5, 4, 0.7), 1.6, 5
    yield noise(200, 1), 0.2, 3
    yield np.repeat(around(30, 2, 3, 0.2), 9, axis=0), 0.05, 9
    yield noise(129, 2), 0.05, 3
    yield np.linspace(0, 9, 257).reshape(-1, 1) ** 2, 0.3, 2
    yield around(300, 2, 1, 0.5), 50.0, 5


@needs("numpy")
class Dbscan(unittest.TestCase):
    def test_labels_are_the_references_on_ten_data_sets(self):
        import dbscan
        import numpy as np

        self.assertGreaterEqual(len(dbscan.STEPS), 4)
        with_noise = 0
        for number, (points, reach, least) in enumerate(scattered()):
            want = dbscan.reference(points, reach, least)
            with_noise += (want.labels < 0).any()
            for step in dbscan.STEPS:
                with self.subTest(data_set=number, step=step):
                    found = dbscan.dbscan(points, reach, least, step=step)
                    np.testing.assert_array_equal(found.labels, want.labels)
                    np.testing.assert_array_equal(found.cores, want.cores)
                    self.assertEqual(found.clusters, want.clusters)
        self.assertEqual(number, 9)
        self.assertGreaterEqual(with_noise, 4)

    @needs("sklearn", "numpy")
    def test_labels_are_scikit_learns(self):
        import dbscan
        import numpy as np
        from sklearn.cluster import DBSCAN

        for points, reach, least in list(scattered())[:6]:
            want = DBSCAN(eps=reach, min_samples=least).fit(points.astype(np.float32))
            np.testing.assert_array_equal(dbscan.dbscan(points, reach, least).labels, want.labels_)

    def test_every_access_is_right(self):
        import dbscan

        points, reach, least = list(scattered())[3]
        for step in dbscan.STEPS:
            with ww.check() as report:
                dbscan.dbscan(points[::3], 2 * reach, least, step=step)
            self.assertTrue(report.clean, report)

    def test_any_order_of_threads_gives_the_same_labels(self):
        import dbscan
        import numpy as np

        points, reach, least = next(scattered())
        want = dbscan.dbscan(points, reach, least).labels
        for seed in (1, 2):
            with ww.check(only="race", schedule=f"shuffle:{seed}") as report:
                found = dbscan.dbscan(points, reach, least, step=dbscan.STEPS[1])
            self.assertTrue(report.clean, report)
            np.testing.assert_array_equal(found.labels, want)

    def test_passes_are_told(self):
        import dbscan
        import numpy as np

        chain = np.arange(40, dtype=np.float32).reshape(-1, 1)
        seen = []
        found = dbscan.dbscan(chain, 1.0, 2, step=dbscan.STEPS[0], watcher=lambda n, roots: seen.append(roots.sum()))
        self.assertEqual((found.clusters, found.passes), (1, 40))
        self.assertEqual(seen, sorted(seen, reverse=True))
        self.assertEqual(dbscan.dbscan(chain, 1.0, 2).passes, 1)

    def test_what_is_refused(self):
        import dbscan
        import numpy as np

        with self.assertRaisesRegex(ValueError, "a reach of -1"):
            dbscan.dbscan(np.zeros((2, 2)), -1)
        with self.assertRaisesRegex(ValueError, "0 points near a core"):
            dbscan.dbscan(np.zeros((2, 2)), 1, 0)
        with self.assertRaisesRegex(ValueError, "not finite"):
            dbscan.dbscan(np.array([[np.inf]]), 1)
        with self.assertRaisesRegex(ValueError, "there is no step `5`"):
            dbscan.dbscan(np.zeros((2, 2)), 1, step="5")


def segmented():
    """Ten sets: values, domain, clusters, beta, labels. Images with four and eight neighbours, several channels, a mesh, a
    ring, sites without neighbours, no prior at all."""
    import domain
    import numpy as np

    random = np.random.default_rng(13)

    def image(height, width, clusters, channels, noise):
        """Pieces around seeds, and what each cluster looks like."""
        y, x = np.mgrid[:height, :width]
        seeds = random.uniform(0, 1, (2 * clusters, 2)) * (height, width)
        nearest = ((y[..., None] - seeds[:, 0]) ** 2 + (x[..., None] - seeds[:, 1]) ** 2).argmin(2)
        truth = (nearest % clusters).ravel()
        colours = random.uniform(-1, 1, (clusters, channels)) + 2 * np.arange(clusters)[:, None]
        return colours[truth] + random.normal(0, noise, (height * width, channels)), truth

    for height, width, clusters, channels, noise, beta, diagonals in (
        (16, 16, 2, 1, 1.0, 1.0, False),
        (17, 31, 3, 1, 0.9, 1.5, False),
        (20, 13, 4, 2, 1.2, 0.7, True),
        (24, 24, 5, 3, 1.5, 2.0, False),
        (1, 129, 2, 1, 0.8, 1.0, False),
        (33, 8, 3, 2, 1.0, 0.5, True),
    ):
        values, truth = image(height, width, clusters, channels, noise)
        yield values, domain.grid(height, width, diagonals), clusters, beta, truth
    y, x = np.divmod(np.arange(15 * 15), 15)
    square = np.arange(14)[:, None] * 15 + np.arange(14)
    corners = np.concatenate([np.stack([square, square + 1, square + 16], -1).reshape(-1, 3),
                              np.stack([square, square + 16, square + 15], -1).reshape(-1, 3)])  # fmt: skip
    truth = (x + y > 14) + (x > 9).astype(int)
    yield truth[:, None] + random.normal(0, 0.6, (225, 1)), domain.mesh(corners), 3, 0.8, truth
    ring = np.arange(200)
    truth = ring // 50 % 2
    yield truth[:, None] + random.normal(0, 0.5, (200, 2)), domain.of_pairs(200, np.stack([ring, (ring + 1) % 200], 1)), 2, 1.0, truth
    truth = np.arange(100) % 3
    yield 3 * truth[:, None] + random.normal(0, 1, (100, 1)), domain.of_pairs(100, np.zeros((0, 2))), 3, 1.0, truth
    values, truth = image(12, 12, 4, 2, 1.0)
    yield values, domain.grid(12, 12), 4, 0.0, truth


@needs("numpy")
class Potts(unittest.TestCase):
    def test_labels_are_the_references_on_ten_data_sets(self):
        import kmeans
        import numpy as np
        import potts

        self.assertGreaterEqual(len(potts.STEPS), 4)
        sweeps = 0
        for number, (values, where, clusters, beta, _) in enumerate(segmented()):
            start = kmeans.kmeans(values, clusters, seed=number).labels
            want = potts.reference(values, where, clusters, beta, start=start)
            sweeps += want.sweeps
            for step in potts.STEPS:
                with self.subTest(data_set=number, step=step):
                    found = potts.mixture(values, where, clusters, beta, start=start, step=step)
                    np.testing.assert_array_equal(found.labels, want.labels)
                    np.testing.assert_allclose(found.means, want.means, rtol=1e-12, atol=1e-12)
                    np.testing.assert_allclose(found.variances, want.variances, rtol=1e-12)
                    self.assertAlmostEqual(found.energy, want.energy, delta=1e-9 * abs(want.energy))
                    self.assertEqual(found.sweeps, want.sweeps)
        self.assertEqual(number, 9)
        self.assertGreater(sweeps, 40)

    def test_the_energy_never_rises(self):
        import potts

        for values, where, clusters, beta, _ in segmented():
            for step in potts.STEPS[::3]:
                seen = []
                potts.mixture(values, where, clusters, beta, step=step, watcher=lambda what, l, e: seen.append((what, e)))
                self.assertGreaterEqual(len(seen), 2)
                for (_, before), (what, after) in zip(seen, seen[1:]):
                    # A rounding of the sum, in double precision, and no more.
                    self.assertLessEqual(after, before + 1e-12 * abs(before), what)

    def test_the_prior_finds_more_of_a_noisy_image(self):
        import itertools
        import numpy as np
        import potts

        values, where, clusters, _, truth = list(segmented())[1]

        def right(beta):
            labels = potts.mixture(values, where, clusters, beta).labels
            names = itertools.permutations(range(clusters))
            return max(np.mean(np.array(order)[labels] == truth) for order in names)

        self.assertGreater(right(1.5), right(0.0) + 0.1)

    def test_neighbours_never_share_a_colour(self):
        import domain
        import numpy as np

        random = np.random.default_rng(3)
        domains = [where for _, where, *_ in segmented()]
        domains.append(domain.of_pairs(120, random.integers(120, size=(900, 2))))
        for where in domains:
            a, b = where.pairs.T
            self.assertFalse((where.colours[a] == where.colours[b]).any())
            np.testing.assert_array_equal(np.sort(where.order), np.arange(where.sites))
            for colour in range(len(where.colour_starts) - 1):
                of_colour = where.order[where.colour_starts[colour] : where.colour_starts[colour + 1]]
                self.assertTrue((where.colours[of_colour] == colour).all())
        self.assertEqual(len(domain.grid(5, 7).pairs), 5 * 6 + 4 * 7)
        self.assertEqual(len(domain.grid(5, 7, diagonals=True).pairs), 5 * 6 + 4 * 7 + 2 * 4 * 6)

    def test_every_access_is_right(self):
        import potts

        values, where, clusters, beta, _ = list(segmented())[2]
        for step in potts.STEPS:
            with ww.check() as report:
                potts.mixture(values, where, clusters, beta, step=step, start=[0, 1, 2, 3] * 65, most=3)
            self.assertTrue(report.clean, report)

    def test_a_cluster_of_like_sites_keeps_the_least_variance(self):
        import domain
        import numpy as np
        import potts

        values = np.array([[0.0]] * 8 + [[1.0]] * 8)
        found = potts.mixture(values, domain.grid(4, 4), 2, least_variance=0.01)
        np.testing.assert_array_equal(found.variances, 0.01)
        self.assertEqual(len(set(found.labels[:8])), 1)
        self.assertNotEqual(found.labels[0], found.labels[15])

    @needs("torch", "numpy")
    def test_tensors(self):
        import domain
        import potts
        import torch

        values = torch.cat([torch.zeros(32, 1), torch.ones(32, 1)]) + 0.1 * torch.randn(64, 1)
        labels = potts.mixture(values, domain.grid(8, 8), 2).labels
        self.assertEqual((len(set(labels[:32])), len(set(labels[32:]))), (1, 1))

    def test_what_is_refused(self):
        import domain
        import numpy as np
        import potts

        where = domain.grid(2, 2)
        with self.assertRaisesRegex(ValueError, "values of 3 sites, and the domain has 4"):
            potts.mixture(np.zeros((3, 1)), where, 2)
        with self.assertRaisesRegex(ValueError, "a label from 0 to 1 for each of 4 sites"):
            potts.mixture(np.zeros((4, 1)), where, 2, start=[0, 1, 2, 0])
        with self.assertRaisesRegex(ValueError, "a beta of -1"):
            potts.mixture(np.zeros((4, 1)), where, 2, beta=-1)
        with self.assertRaisesRegex(ValueError, "a pair names site 9 of 4"):
            domain.of_pairs(4, [[0, 9]])


def read_png(data):
    """Width, height, and the pixels of a PNG of our own writing."""
    import zlib

    import numpy as np

    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR"
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    length = int.from_bytes(data[33:37], "big")
    raw = np.frombuffer(zlib.decompress(data[41 : 41 + length]), np.uint8).reshape(height, 1 + 3 * width)
    return width, height, raw[:, 1:].reshape(height, width, 3)


@needs("numpy")
class Pictures(unittest.TestCase):
    def test_points_and_their_centres(self):
        import numpy as np
        import pictures

        points = np.array([[0, 0], [10, 10]], np.float32)
        image = pictures.points(points, np.array([0, 1]), points, size=64)
        self.assertEqual(image.shape, (64, 64, 3))
        self.assertEqual((image == 255).all(2).sum(), 72)  # two squares of 6 by 6

    def test_clusters_while_they_form(self):
        import numpy as np
        import pictures
        import potts

        values, where, clusters, beta, _ = next(segmented())
        frames = []
        potts.mixture(values, where, clusters, beta, watcher=lambda w, l, e: frames.append(pictures.grid(l, 16, 16)))
        strip = pictures.strip(frames, most=3, gap=2)
        width, height, pixels = read_png(pictures.png(strip))
        self.assertEqual((width, height), (3 * 32 + 2 * 2, 32))
        np.testing.assert_array_equal(pixels, strip)
        known = {tuple(colour) for colour in pictures.colours(clusters)}
        self.assertEqual({tuple(colour) for colour in frames[-1].reshape(-1, 3)}, known)

    def test_noise_is_grey_and_a_mesh_is_filled(self):
        import numpy as np
        import pictures

        at = np.array([[0, 0], [1, 0], [0, 1]], float)
        image = pictures.points(at, np.array([0, -1, 0]), size=32)
        self.assertEqual((image == 90).all(2).sum(), 1)
        image = pictures.triangles(at, np.array([[0, 1, 2]]), np.array([0, 0, 0]), size=100)
        filled = (image != 24).any(2).sum()
        self.assertAlmostEqual(filled, 91 * 92 / 2, delta=150)


if __name__ == "__main__":
    unittest.main()
