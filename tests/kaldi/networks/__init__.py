"""All networks of the tests by name, each from a seed of its own: half of them are written as text, half as binary."""
import dataclasses
import zlib

from kaldi import files
from kaldi.networks import architectures, chains, components3, descriptors, old, refused, stored

ENDINGS = {"nnet1": ".nnet", "nnet2": ".mdl", "nnet3": ".raw"}


@dataclasses.dataclass
class Case:
    name: str
    make: object
    binary: bool

    def network(self):
        """The same at each call."""
        return self.make(self.name)

    def write(self, stem):
        network = self.network()
        path = f"{stem}{'.mdl' if network.transition else ENDINGS[network.generation]}"
        with open(path, "wb") as file:
            file.write(files.to_bytes(network, self.binary))
        return path


def cases():
    found = {}
    for group in (chains.NETWORKS, components3.NETWORKS, descriptors.NETWORKS, architectures.NETWORKS):
        for name, make in group.items():
            found[name] = Case(name, make, zlib.crc32(name.encode()) % 2 == 0)
    for name, make in stored.BINARY.items():
        found[name] = Case(name, make, True)
    for name, make in refused.NETWORKS.items():
        found[name] = Case(name, make, True)
    for name, make in (stored.BOTH | old.NETWORKS).items():
        found[name + "_binary"] = Case(name, make, True)
        found[name + "_text"] = Case(name, make, False)
    return found


CASES = cases()
