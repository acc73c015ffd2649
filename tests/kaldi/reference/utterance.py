"""The outputs of a network, call by call, as an IR gives them that is fed frame by frame: by Kaldi's own times."""
import numpy as np

from kaldi.reference import chain, frames, nnet3


class Judged:
    """`left`: the frames that are repeated in front. `delay`: how many frames later an output comes. `right`: Kaldi's right context, at most that."""

    def __init__(self, network, outputs=None):
        self.network, self.nodes = network, None
        if network.generation == "nnet3":
            self.nodes = nnet3.Nodes(network)
            self.output_names = outputs or self.nodes.outputs
            self.left, self.right = self.nodes.contexts(self.output_names)
            self.delay = self.nodes.delay(self.output_names)
            self.inputs = self.nodes.inputs
        else:
            self.output_names = ["output"]
            first = network.components[0]
            if network.generation == "nnet1":
                self.left, self.right = chain.reach1(network)
                self.inputs = {"Parameter": first.inputs}
            else:
                self.left, self.right = chain.reach2(network)
                self.inputs = {"Input": first.get("InputDim", first.get("Dim"))}
            self.delay = self.right
        self.accumulates = bool(self.nodes) and any(
            facts.get("component") and facts["component"].type == "StatisticsPoolingComponent" and facts["component"]["RightContext"] >= frames.StatisticsPooling.FAR
            for facts in map(self.nodes.nodes.get, self.nodes.below(self.output_names)))

    def so_far(self, feeds):
        """Of a window over all frames to come: after each call that of the frames that have come, which Kaldi gives at time 0."""
        calls = len(feeds["input"])
        found = {name: [] for name in self.output_names}
        for call in range(calls):
            heard = nnet3.Utterance(self.nodes, {"input": (-self.left, np.asarray(feeds["input"][:call + 1], np.float64))})
            for name in self.output_names:
                found[name].append(heard.value(name, 0) if heard.computable(name, 0) else np.full(heard.dim(name), np.nan))
        return {name: np.array(rows) for name, rows in found.items()}

    def outputs(self, feeds):
        """Of each call, NaN where there is nothing to say: before the network is full, and where Kaldi cannot compute it. The first frame that is fed is of time -left."""
        calls = len(feeds[next(iter(self.inputs))])
        times = range(-self.left - self.delay, calls - self.left - self.delay)
        if self.nodes:
            ivector = {"ivector": (0, np.asarray(feeds["ivector"], np.float64))} if "ivector" in feeds else {}
            heard = nnet3.Utterance(self.nodes, {"input": (-self.left, np.asarray(feeds["input"], np.float64)), **ivector}).run()
            return {name: np.array([heard.value(name, t) if t >= 0 and heard.computable(name, t) else np.full(heard.dim(name), np.nan) for t in times])
                    for name in self.output_names}
        rows = np.asarray(next(iter(feeds.values())), np.float64)
        found = (chain.nnet1 if self.network.generation == "nnet1" else chain.nnet2)(self.network, rows, pad=False)
        return {"output": np.concatenate([np.full((self.left + self.delay, found.shape[1]), np.nan), found])}

    def fed(self, rows):
        """An utterance as users feed it: the first frame `left` times more, the last one as often as outputs come late."""
        return np.concatenate([np.repeat(rows[:1], self.left, 0), rows, np.repeat(rows[-1:], self.delay, 0)])
