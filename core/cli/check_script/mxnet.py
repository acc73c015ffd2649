class Mxnet:
    """Tensors inside the symbol may be outputs; it is fed at inputs only. Labels, which nothing here has, are zeros."""

    def __init__(self, path):
        import mxnet
        self.mxnet = mxnet
        symbol, parameters = self.files(path)
        self.symbol = mxnet.sym.load(symbol).get_internals()
        self.arrays = {}
        for name, array in (mxnet.nd.load(parameters) if parameters else {}).items():
            self.arrays[name.split(":", 1)[1] if name[:4] in ("arg:", "aux:") else name] = array

    @staticmethod
    def files(path):
        """The symbol and its arrays: one is the model, an option names the other, or it lies beside."""
        is_symbol = path.endswith(".json")
        stem, folder = os.path.splitext(path)[0], os.path.dirname(os.path.abspath(path))
        stem = re.sub("-symbol$" if is_symbol else "-[0-9]+$", "", stem)
        given = OPTIONS.get("input_weights" if is_symbol else "input_symbol", "")
        alone = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
        near = [given, os.path.join(folder, os.path.basename(given))] if given else []
        if is_symbol:
            near += [name for name in alone if re.fullmatch(re.escape(os.path.abspath(stem)) + r"(-[0-9]+)?\.params", name)]
            near += [name for name in alone if name.endswith(".params")][:1]
        else:
            near += [stem + "-symbol.json", stem + ".json"] + [name for name in alone if name.endswith("-symbol.json")][:1]
        other = next((name for name in near if os.path.exists(name)), None)
        if other is None and not is_symbol:
            raise NotComparable("%s-symbol.json is not there: put it beside the model" % stem)
        return (path, other) if is_symbol else (other, path)

    def run(self, feeds, names):
        known_outputs, fed = set(self.symbol.list_outputs()), {}
        found = [next((name + end for name in known for end in ("", "_output", "_output0") if name + end in known_outputs), None) for known in names]
        wanted = list(dict.fromkeys(name for name in found if name is not None))
        graph = self.mxnet.sym.Group([self.symbol[name] for name in wanted])
        inputs = graph.list_inputs()
        for known, value, _ in feeds:
            name = next((name for name in known if name in inputs), None)
            if name is None:
                raise NotComparable("the symbol has no input of the names %s; MXNet is fed at inputs only" % known)
            array = np.asarray(value(np.float32, None) if callable(value) else value)
            fed[name] = self.mxnet.nd.array(array, dtype=array.dtype)
        shapes, _, states = graph.infer_shape_partial(**{name: array.shape for name, array in fed.items()})
        sizes = dict(zip(graph.list_arguments() + graph.list_auxiliary_states(), list(shapes) + list(states)))
        bound = {name: fed.get(name, self.arrays.get(name)) for name in inputs}
        bound = {name: self.mxnet.nd.zeros(sizes[name]) if array is None else array for name, array in bound.items()}
        states = {name: bound.pop(name) for name in graph.list_auxiliary_states()}
        executor = graph.bind(self.mxnet.cpu(), bound, aux_states=states, grad_req="null")
        arrays = dict(zip(wanted, (array.asnumpy() for array in executor.forward(is_train=False))))
        return [None if name is None else arrays[name] for name in found]


