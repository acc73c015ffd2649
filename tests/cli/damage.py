"""Files that are damaged by a seed."""
import numpy as np


def damaged(content, way, seed, least):
    """`way`: truncated or mutated. `least`: what stands for a file of which nothing is left."""
    rng, content = np.random.default_rng(seed), bytearray(content)
    if way == "truncated":
        return bytes(content[:int(rng.integers(1, len(content)))])
    for _ in range(rng.integers(1, 6)):
        at = int(rng.integers(len(content)))
        content[at:at + int(rng.integers(0, 9))] = rng.bytes(int(rng.integers(0, 9)))
    return bytes(content) or least
