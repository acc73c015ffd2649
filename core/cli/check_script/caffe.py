class Caffe:
    """OpenCV reads the text, and the weights of its layers. Tensors inside the network may be outputs; it is fed at inputs only."""
    TOKEN = re.compile(r"""#[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{}<>]|[^\s:;,{}<>"'#]+""")

    def __init__(self, path):
        import cv2
        self.text, weights = self.files(path)
        self.net = cv2.dnn.readNetFromCaffe(self.text, weights)

    @staticmethod
    def files(path):
        """The network and its weights: one is the model, an option names the other, or it lies beside."""
        is_text = not path.endswith(".caffemodel")
        stem, folder = os.path.splitext(path)[0], os.path.dirname(os.path.abspath(path))
        given = OPTIONS.get("input_weights" if is_text else "input_proto", "")
        names = [stem + ".caffemodel"] if is_text else [stem + ".prototxt", stem + ".prototxt.txt", os.path.join(folder, "deploy.prototxt")]
        alone = [name for name in sorted(os.listdir(folder)) if name.endswith(".caffemodel" if is_text else (".prototxt", ".prototxt.txt"))]
        near = [given, os.path.join(folder, os.path.basename(given))] if given else names + [os.path.join(folder, name) for name in alone[:1]]
        other = next((name for name in near if os.path.exists(name)), None)
        if other is None:
            raise NotComparable("%s is not there: put it beside the model" % near[0])
        return (path, other) if is_text else (other, path)

    def makers(self):
        """For each tensor the last layer that makes it: those that work in place leave its name."""
        with open(self.text, encoding="utf-8", errors="replace") as file:
            tokens = [token for token in self.TOKEN.findall(file.read()) if token[0] != "#"]
        if {"stage", "not_stage", "min_level", "max_level"}.intersection(tokens):
            raise NotComparable("OpenCV does not apply rules of stages and levels: give --expected")
        makers, known, name, tops, depth = {}, set(self.net.getLayerNames()), "", [], 0
        for token, after in zip(tokens, tokens[1:] + [""]):
            if token in "{<":
                depth += 1
            elif token in "}>":
                depth -= 1
                if depth == 0 and name in known:
                    makers.update((top, name) for top in tops)
                if depth == 0:
                    name, tops = "", []
            elif depth == 1 and token == "name":
                name = after[1:-1]
            elif depth == 1 and token == "top":
                tops.append(after[1:-1])
        return makers

    def run(self, feeds, names):
        for known, value, _ in feeds:
            if not known:
                raise NotComparable("OpenCV is fed at inputs only")
            self.net.setInput(np.asarray(value(np.float32, None) if callable(value) else value, np.float32), known[0])
        # --output names layers; what nobody reads has the name of its tensor.
        makers, layers = self.makers(), {name: name for name in self.net.getLayerNames()}
        makers = {**makers, **layers} if "output" in OPTIONS else {**layers, **makers}
        layers = [next((makers[name] for name in known if name in makers), None) for known in names]
        arrays = iter(self.net.forward([layer for layer in layers if layer is not None]))
        return [None if layer is None else next(arrays) for layer in layers]


