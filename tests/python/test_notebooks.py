"""The notebooks of examples/notebooks, run from the top to the end as Jupyter would."""

import base64
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import warpwise as ww
from support import needs

NOTEBOOKS = Path(__file__).resolve().parents[2] / "examples" / "notebooks"


def executed(name):
    """The notebook's cells with their outputs."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"XDG_DATA_HOME": folder}):
        NotebookClient(notebook, timeout=240, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def text_of(cell):
    parts = []
    for output in cell.outputs:
        parts.append(output.get("text", ""))
        parts.append(output.get("data", {}).get("text/plain", ""))
    return "".join(parts)


@needs("nbclient", "ipykernel", "numpy")
@unittest.skipUnless((ww._native.installation() / "bin" / "warpwise").exists(), "the program is not built")
class Notebooks(unittest.TestCase):
    def test_the_first_hour(self):
        cells = executed("first_hour.ipynb")
        everything = "\n".join(map(text_of, cells))
        self.assertIn("C0101", everything)
        self.assertIn("C0201", everything)
        self.assertIn("sum_by_blocks", everything)
        pictures = [o.data["image/png"] for c in cells for o in c.outputs if "image/png" in o.get("data", {})]
        self.assertEqual(len(pictures), 1)
        self.assertEqual(base64.b64decode(pictures[0])[16:24], (480).to_bytes(4, "big") + (320).to_bytes(4, "big"))
        self.assertIn("puzzles/map: unwritten output", text_of(cells[-1]))
        views = [o.data["text/html"] for c in cells for o in c.outputs if "<iframe" in o.get("data", {}).get("text/html", "")]
        self.assertEqual(len(views), 1)
        self.assertIn("sum_wrong(float const*, float*, int)", views[0])

    @needs("torch")
    def test_a_kernel_for_pytorch(self):
        cells = executed("pytorch_kernel.ipynb")
        everything = "\n".join(map(text_of, cells))
        self.assertIn("made without backward=", everything)
        self.assertIn("Jacobian mismatch", everything)
        self.assertIn("clean", everything)
        self.assertIn("gelu", text_of(cells[-1]))
        pictures = [o.data["image/png"] for c in cells for o in c.outputs if "image/png" in o.get("data", {})]
        self.assertEqual(len(pictures), 1)


if __name__ == "__main__":
    unittest.main()
