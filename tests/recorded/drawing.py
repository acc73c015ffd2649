"""Numbers drawn by recipes: weights and pictures are not recorded, only how they are drawn. Needs numpy only."""
import zlib

import numpy as np


def draw(recipe):
    """Uniform numbers between `low` and `high`, seeded by the recipe's text `seed`."""
    rng = np.random.default_rng(zlib.crc32(recipe["seed"].encode()))
    low, high = np.float32(recipe["low"]), np.float32(recipe["high"])
    return rng.random(recipe["shape"], np.float32) * (high - low) + low


def draw_image(recipe):
    """Coarse squares with a little noise, so that two pictures differ in every average, too."""
    rng = np.random.default_rng(zlib.crc32(recipe["seed"].encode()))
    batch, *sizes, channels = recipe["shape"]
    coarse = rng.random((batch, *(-(-size // 16) for size in sizes), channels), np.float32)
    for axis, size in enumerate(sizes, 1):
        coarse = np.take(coarse, np.arange(size) // 16, axis)
    low, high = np.float32(recipe["low"]), np.float32(recipe["high"])
    return (coarse * np.float32(0.8) + rng.random(recipe["shape"], np.float32) * np.float32(0.2)) * (high - low) + low
