"""Components of nnet3 that see several frames, or none: which they read, when they can be computed, and what of.

`available(t)` says whether the component's input can be computed at a time, `read(t)` gives it.
"""
import numpy as np

from kaldi.reference.simple import of, dropout_mask, softmax


class Tdnn:
    def reach(self, c):
        return min(c["TimeOffsets"]), max(c["TimeOffsets"])

    def computable(self, c, t, available):
        return all(available(t + offset) for offset in c["TimeOffsets"])

    def value(self, c, t, available, read):
        y = of(c, "LinearParams") @ np.concatenate([read(t + offset) for offset in c["TimeOffsets"]])
        bias = of(c, "BiasParams") if "BiasParams" in c.values else np.zeros(0)
        return y + bias if len(bias) else y


class TimeHeightConvolution:
    """Frames are height-major. Frames that are not required and not there, and places above and below the picture, are zeros."""

    def reach(self, c):
        times = [time for time, _ in c["Offsets"]]
        return min(times), max(times)

    def computable(self, c, t, available):
        return all(available(t + offset) for offset in c["RequiredTimeOffsets"])

    def value(self, c, t, available, read):
        filters, heights = c["NumFiltersIn"], c["HeightIn"]
        pictures = {}
        for time in {time for time, _ in c["Offsets"]}:
            pictures[time] = read(t + time).reshape(heights, filters) if available(t + time) else np.zeros((heights, filters))
        out = []
        for height in range(c["HeightOut"]):
            column = []
            for time, offset in c["Offsets"]:
                at = height * c.get("HeightSubsampleOut", 1) + offset
                column.append(pictures[time][at] if 0 <= at < heights else np.zeros(filters))
            out.append(of(c, "LinearParams") @ np.concatenate(column) + of(c, "BiasParams"))
        return np.concatenate(out)


class RestrictedAttention:
    def reach(self, c):
        return -c["NumLeftInputs"] * c.get("TimeStride", 1), c["NumRightInputs"] * c.get("TimeStride", 1)

    def times(self, c, t, left, right):
        stride = c.get("TimeStride", 1)
        return range(t - stride * c[left], t + stride * c[right] + 1, stride)

    def computable(self, c, t, available):
        left, right = c.get("NumLeftInputsRequired", 0), c.get("NumRightInputsRequired", 0)
        stride = c.get("TimeStride", 1)
        return all(available(at) for at in range(t - stride * left, t + stride * right + 1, stride))

    def value(self, c, t, available, read):
        key, value = c["KeyDim"], c["ValueDim"]
        times = self.times(c, t, "NumLeftInputs", "NumRightInputs")
        size = 2 * key + value + len(times)
        zeros = np.zeros(size * c["NumHeads"])
        rows = [(read(at) if available(at) else zeros).reshape(c["NumHeads"], size) for at in times]
        out = []
        for head in range(c["NumHeads"]):
            query = read(t).reshape(c["NumHeads"], size)[head, key + value:]
            weights = softmax(np.array([c["KeyScale"] * row[head, :key] @ query[:key] for row in rows]) + query[key:])
            out.append(sum(weight * row[head, key:key + value] for weight, row in zip(weights, rows)))
            if c.get("OutputContext", True):
                out.append(weights)
        return np.concatenate(out)


class StatisticsExtraction:
    def times(self, c, t):
        period = c.get("OutputPeriod", 1)
        start = t // period * period
        return range(start, start + period, c.get("InputPeriod", 1))

    def reach(self, c):
        period = c.get("OutputPeriod", 1)
        return 1 - period, (period - 1) // c.get("InputPeriod", 1) * c.get("InputPeriod", 1)

    def computable(self, c, t, available):
        return any(available(at) for at in self.times(c, t))

    def value(self, c, t, available, read):
        rows = np.array([read(at) for at in self.times(c, t) if available(at)])
        parts = [[len(rows)], rows.sum(0)]
        if c.get("IncludeVarinance", True):
            parts.append((rows * rows).sum(0))
        return np.concatenate(parts)


class StatisticsPooling:
    """Frames far beyond the utterance are never available: no need to ask for each of 10,000."""
    FAR = 2000

    def times(self, c, t):
        period = c.get("InputPeriod", 1)
        left, right = c["LeftContext"], c["RightContext"]
        return range(t - min(left, self.FAR // period * period), t + min(right, self.FAR) + 1, period)

    def reach(self, c):
        period = c.get("InputPeriod", 1)
        return -c["LeftContext"], c["RightContext"] // period * period

    def computable(self, c, t, available):
        return t % c.get("InputPeriod", 1) == 0 and any(available(at) for at in self.times(c, t))

    def value(self, c, t, available, read):
        sums = sum(read(at) for at in self.times(c, t) if available(at))
        count, means = sums[0], sums[1:] / sums[0]
        if c.get("OutputStddevs"):
            mean, square = np.split(means, 2)
            means = np.concatenate([mean, np.sqrt(np.maximum(square - mean * mean, c.get("VarianceFloor", 1e-10)))])
        return np.concatenate([np.full(c.get("NumLogCountFeatures", 0), np.log(count)), means])


class WithoutInput:
    """They ask for no frame: they can be computed at each time."""

    def __init__(self, function):
        self.function = function

    def reach(self, c):
        return None

    def computable(self, c, t, available):
        return True

    def value(self, c, t, available, read):
        return self.function(c)


KINDS = {
    "TdnnComponent": Tdnn(),
    "TimeHeightConvolutionComponent": TimeHeightConvolution(),
    "RestrictedAttentionComponent": RestrictedAttention(),
    "StatisticsExtractionComponent": StatisticsExtraction(),
    "StatisticsPoolingComponent": StatisticsPooling(),
    "ConstantComponent": WithoutInput(lambda c: of(c, "Output")),
    "DropoutMaskComponent": WithoutInput(dropout_mask),
}
