"""PriorBox with ratios of fixed sizes: the result has boxes for aspect_ratio, and those of fixed_ratio are written beyond its end."""
import numpy as np
import openvino.opset13 as ops
from openvino import Model, Type

VERDICT = "crash or wrong numbers"
SIZE, RATIOS = 8.0, (0.25, 1.0, 4.0)


def build():
    grid, image = ops.parameter([2], Type.i64, "grid"), ops.parameter([2], Type.i64, "image")
    grid.output(0).set_names({"grid"})
    image.output(0).set_names({"image"})
    attributes = {"fixed_size": [SIZE], "fixed_ratio": list(RATIOS), "density": [1.0], "step": 10.0, "offset": 0.5, "clip": True, "variance": [0.1]}
    made = ops.prior_box(grid, image, attributes)
    corners = []
    for x, y in ((5, 5), (15, 5)):
        for ratio in RATIOS:
            half = SIZE * np.sqrt(ratio) / 2, SIZE / np.sqrt(ratio) / 2
            corners += [(x - half[0]) / 20, (y - half[1]) / 10, (x + half[0]) / 20, (y + half[1]) / 10]
    corners = np.clip(corners, 0, 1)
    return Model([made], [grid, image]), {"grid": np.array([1, 2]), "image": np.array([10, 20])}, [np.stack([corners, np.full_like(corners, 0.1)])]
