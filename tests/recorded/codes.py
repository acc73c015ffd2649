"""The code with which each refused model is refused: a file of lines `code name`. UPDATE=1 rewrites it with what the binary answers."""
import os

UPDATE = "UPDATE" in os.environ


class Codes:
    def __init__(self, path):
        self.path, self.found = path, {}
        with open(self.path, encoding="utf-8") as lines:
            self.known = {name: code for code, name in (line.split(" ", 1) for line in lines.read().splitlines() if line)}

    def check(self, name, found):
        """`found`: the codes of the answer, in their order."""
        assert found, "it is not refused"
        self.found[name] = found[0]
        assert UPDATE or self.known.get(name) == found[0], (self.known.get(name), found)

    def write(self, names):
        """Cases that did not run keep their code if they exist."""
        if not UPDATE:
            return
        codes = {name: code for name, code in (self.known | self.found).items() if name in names}
        with open(self.path, "w", encoding="utf-8") as file:
            file.writelines(f"{code} {name}\n" for name, code in sorted(codes.items()))
