"""Operations that move numbers, and change shapes."""
import numpy as np
import openvino.opset13 as ops

from pairs.traced import NotHere, step


def ints(values):
    return ops.constant(np.asarray(values, np.int64))


@step
def Nothing(c, x):
    return x


@step
def Reshape(c, x):
    shape = list(x.shape)
    form = c.pick(["flatten", "merge", "split", "one", "last"])
    if form == "flatten" or not shape:
        pattern = [-1]
    elif form == "one":
        shape.insert(c.pick(range(len(shape) + 1)), 1)
        pattern = shape
    elif form == "last":
        pattern = [-1, shape[-1]]
    elif form == "merge" and len(shape) > 1:
        at = c.pick(range(len(shape) - 1))
        pattern = shape[:at] + [shape[at] * shape[at + 1]] + shape[at + 2:]
    else:
        at = c.axis(x)
        size = shape[at]
        part = next((p for p in (2, 3, 5, 7) if size % p == 0), 1)
        pattern = shape[:at] + [part, size // part] + shape[at + 1:]
    if c.known != "none" and -1 not in pattern:
        pattern = list(pattern)
        pattern[c.pick(range(len(pattern)))] = -1
    return c.op(f"Reshape{list(pattern)}", ops.reshape(x.port, ints(pattern), False), x.value.reshape(pattern), x.rounds)


@step
def Transpose(c, x):
    if x.rank < 2:
        raise NotHere
    order = [int(a) for a in c.random.permutation(x.rank)]
    return c.op(f"Transpose{order}", ops.transpose(x.port, ints(order)), x.value.transpose(order), x.rounds)


@step
def Squeeze(c, x):
    ones = [a for a, s in enumerate(x.shape) if s == 1]
    if not ones:
        raise NotHere
    axis = c.pick(ones)
    return c.op(f"Squeeze {axis}", ops.squeeze(x.port, ints([axis])), x.value.squeeze(axis), x.rounds)


@step
def Unsqueeze(c, x):
    axis = c.pick(range(x.rank + 1))
    return c.op(f"Unsqueeze {axis}", ops.unsqueeze(x.port, ints([axis])), np.expand_dims(x.value, axis), x.rounds)


@step
def Concat(c, x):
    axis, shape = c.axis(x), list(x.shape)
    if c.chance(0.3):
        return c.op(f"Concat {axis} with itself", ops.concat([x.port, x.port], axis), np.concatenate([x.value, x.value], axis), x.rounds)
    shape[axis] = c.pick([1, 2, 3])
    kind = {"float32": "f32", "float16": "f16", "int32": "i32", "uint8": "u8"}.get(str(x.value.dtype))
    if kind is None:
        raise NotHere
    y = c.drawn(shape, kind)
    return c.op(f"Concat {axis}", ops.concat([x.port, y.port], axis), np.concatenate([x.value, y.value], axis), x.rounds)


@step
def Split(c, x):
    axis = c.axis(x)
    parts = next((p for p in (2, 3, 5, 7) if x.shape[axis] % p == 0), 1)
    part = c.pick(range(parts))
    node = ops.split(x.port, ints(axis), parts)
    return c.op(f"Split {axis} in {parts}, part {part}", node.output(part), np.split(x.value, parts, axis)[part], x.rounds)


@step
def Gather(c, x):
    axis = c.axis(x)
    shape = c.pick([[], [1], [2], [3], [2, 2], [1, 3]])
    indices = c.random.integers(0, x.shape[axis], shape)
    return c.op(f"Gather {axis} {list(indices.shape)}", ops.gather(x.port, ints(indices), ints(axis)), np.take(x.value, indices, axis), x.rounds)


@step
def GatherBatch(c, x):
    """Indices for each index of the first dimensions."""
    if x.rank < 2:
        raise NotHere
    batch = c.pick(range(1, x.rank))
    axis = c.pick(range(batch, x.rank))
    indices = c.random.integers(0, x.shape[axis], list(x.shape[:batch]) + c.pick([[], [1], [2], [3], [2, 3]])).astype(np.int32)
    given = c.input(indices.shape, "i32") if c.chance(0.6) else None
    if given:
        c.feeds[-1][...] = indices
    port = given.port if given else ops.constant(indices)
    node = ops.gather(x.port, port, ints(axis), batch)
    value = np.empty(x.shape[:axis] + indices.shape[batch:] + x.shape[axis + 1:], x.value.dtype)
    for at in np.ndindex(*x.shape[:batch]):
        value[at] = np.take(x.value[at], indices[at], axis - batch)
    return c.op(f"Gather {axis} {list(indices.shape)} batch_dims {batch}", node, value, x.rounds)


@step
def GatherElements(c, x):
    axis, shape = c.axis(x), list(x.shape)
    shape[axis] = c.pick([1, 2, 3])
    indices = c.random.integers(0, x.shape[axis], shape).astype(np.int32)
    return c.op(f"GatherElements {axis} {shape}", ops.gather_elements(x.port, ops.constant(indices), axis), np.take_along_axis(x.value, indices, axis), x.rounds)


@step
def GatherND(c, x):
    if not x.rank:
        raise NotHere
    batch = c.pick(range(x.rank))
    width = c.pick(range(1, x.rank - batch + 1))
    lead = list(x.shape[:batch]) + c.pick([[], [1], [3]])
    indices = np.stack([c.random.integers(0, x.shape[batch + i], lead) for i in range(width)], -1).astype(np.int32)
    inner = indices.shape[batch:-1]
    value = np.empty(x.shape[:batch] + inner + x.shape[batch + width:], x.value.dtype)
    for at in np.ndindex(*x.shape[:batch]):
        for place in np.ndindex(*inner):
            value[at + place] = x.value[at][tuple(indices[at + place])]
    return c.op(f"GatherND {list(indices.shape)} batch_dims {batch}", ops.gather_nd(x.port, ops.constant(indices), batch), value, x.rounds)


@step
def ScatterUpdate(c, x):
    axis = c.axis(x)
    count = c.pick(range(1, x.shape[axis] + 1))
    indices = c.random.permutation(x.shape[axis])[:count]
    shape = list(x.shape)
    shape[axis] = count
    kind = {"float32": "f32", "float16": "f16", "int32": "i32", "uint8": "u8"}.get(str(x.value.dtype))
    if kind is None:
        raise NotHere
    y, value = c.drawn(shape, kind), x.value.copy()
    np.moveaxis(value, axis, 0)[indices] = np.moveaxis(y.value, axis, 0)
    return c.op(f"ScatterUpdate {axis}", ops.scatter_update(x.port, ints(indices), y.port, ints(axis)), value, x.rounds)


@step
def ScatterElementsUpdate(c, x):
    axis, shape = c.axis(x), list(x.shape)
    shape[axis] = 1
    indices = c.random.integers(0, x.shape[axis], shape).astype(np.int32)
    kind = {"float32": "f32", "float16": "f16", "int32": "i32", "uint8": "u8"}.get(str(x.value.dtype))
    if kind is None:
        raise NotHere
    y, value = c.drawn(shape, kind), x.value.copy()
    np.put_along_axis(value, indices, y.value, axis)
    return c.op(f"ScatterElementsUpdate {axis}", ops.scatter_elements_update(x.port, ops.constant(indices), y.port, ints(axis)), value, x.rounds)


@step
def StridedSlice(c, x):
    begin, end, strides, key = [], [], [], []
    if not x.rank:
        raise NotHere
    shrunk = [0] * x.rank
    for axis, size in enumerate(x.shape):
        if c.chance(0.15):
            at = c.pick(range(size))
            begin.append(at), end.append(at + 1), strides.append(1), key.append(at)
            shrunk[axis] = 1
            continue
        a, b = c.pick(range(size)), size
        by = c.pick([1, 1, 2])
        begin.append(a), end.append(b), strides.append(by), key.append(slice(a, b, by))
    node = ops.strided_slice(x.port, ints(begin), ints(end), ints(strides), [0] * x.rank, [0] * x.rank, shrink_axis_mask=shrunk)
    return c.op(f"StridedSlice {begin}:{end}:{strides} shrink {shrunk}", node, x.value[tuple(key)], x.rounds)


@step
def Pad(c, x):
    if not x.rank or x.value.dtype == bool:
        raise NotHere
    before, behind = ([int(v) for v in c.random.integers(0, 3, x.rank)] for _ in range(2))
    value = np.pad(x.value, list(zip(before, behind)))
    zero = ops.constant(np.zeros((), x.value.dtype))
    return c.op(f"Pad {before} {behind}", ops.pad(x.port, ints(before), ints(behind), "constant", zero), value, x.rounds)


@step
def Tile(c, x):
    if not x.rank:
        raise NotHere
    repeats = [c.pick([1, 1, 2, 3]) for _ in range(x.rank)]
    return c.op(f"Tile {repeats}", ops.tile(x.port, ints(repeats)), np.tile(x.value, repeats), x.rounds)


@step
def Broadcast(c, x):
    shape = [c.pick([1, 2, 3]) if s == 1 else s for s in x.shape]
    if c.chance(0.3):
        shape = [c.pick([1, 2])] + shape
    if not shape:
        raise NotHere
    return c.op(f"Broadcast {shape}", ops.broadcast(x.port, ints(shape), broadcast_spec="NUMPY"), np.broadcast_to(x.value, shape), x.rounds)


@step
def Reverse(c, x):
    axis = c.axis(x)
    index = [slice(None)] * x.rank
    index[axis] = slice(None, None, -1)
    node = ops.slice(x.port, ints([-1]), ints([np.iinfo(np.int64).min]), ints([-1]), ints([axis]))
    return c.op(f"Slice {axis} backwards", node, x.value[tuple(index)], x.rounds)
