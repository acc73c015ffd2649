class Onnx:
    TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64, "tensor(bool)": np.bool_, "tensor(string)": np.object_}
    IR_TYPES = {"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "boolean": 9, "f16": 10, "f64": 11, "u32": 12, "u64": 13}

    def __init__(self, path):
        import onnxruntime
        self.path, self.run_time = path, onnxruntime
        self.options = onnxruntime.SessionOptions()
        self.options.log_severity_level = 3
        self.session = None

    def start(self, model):
        self.session = self.run_time.InferenceSession(model, self.options, providers=["CPUExecutionProvider"])

    def run(self, feeds, names):
        """`feeds`: (names, array or a function of type and shape, type of the IR). `names`: for each output its names, of which the first one that is known counts."""
        try:
            self.start(self.path)
            if not self.fits(feeds, names):
                self.start(self.changed(feeds, names))
        except self.run_time.capi.onnxruntime_pybind11_state.NotImplemented:
            self.start(self.changed(feeds, names))
        fed = {}
        for port in self.session.get_inputs():
            dtype = self.TYPES.get(port.type) or np.dtype(port.type[7:-1])
            shape = [size if isinstance(size, int) else 1 for size in port.shape]
            value = next((array for known, array, _ in feeds if port.name in known), None)
            if value is None:
                value = np.zeros(shape)
            fed[port.name] = (value(dtype, shape) if callable(value) else value).astype(dtype)
        outputs = [port.name for port in self.session.get_outputs()]
        wanted = [next((name for name in known if name in outputs), None) for known in names]
        arrays = iter(self.session.run([name for name in wanted if name is not None], fed))
        return [None if name is None else next(arrays) for name in wanted]

    def fits(self, feeds, names):
        """Whether the model can be fed and asked as it is."""
        ports = {port.name: port.shape for port in self.session.get_inputs()}
        outputs = {port.name for port in self.session.get_outputs()}
        for known, array, _ in feeds:
            port = next((name for name in known if name in ports), None)
            if port is None or not callable(array) and any(isinstance(size, int) and size != given for size, given in zip(ports[port], array.shape)):
                return False
        return all(outputs.intersection(known) for known in names if known)

    def changed(self, feeds, names):
        """The model with the inputs, outputs and shapes of the IR."""
        import onnx
        model = onnx.load(self.path)
        graph = model.graph
        made = {output for node in graph.node for output in node.output}
        del graph.value_info[:]
        cut = set()
        for known, array, of_type in feeds:
            if callable(array):
                continue
            port = next((port for port in graph.input if port.name in known), None)
            if port is not None:
                port.CopyFrom(onnx.helper.make_tensor_value_info(port.name, port.type.tensor_type.elem_type, array.shape))
                continue
            name = next((name for name in known if name in made), None)
            if name is None:
                raise NotComparable("the model has no tensor of the names %s: an input was cut at a port" % (known or "of an input"))
            cut.add(name)
            graph.input.append(onnx.helper.make_tensor_value_info(name, self.IR_TYPES.get(of_type, 1), array.shape))
        wanted = [name for name in (next((name for name in known if name in made), None) for known in names) if name is not None]
        needed, nodes = set(wanted), []
        for node in reversed(graph.node):
            if needed.intersection(set(node.output) - cut):
                needed.update(self.reads(node))
                node.output[:] = [name + "/cut" if name in cut else name for name in node.output]
                nodes.insert(0, node)
        kept = [port for port in graph.input if port.name in needed]
        outputs = [onnx.ValueInfoProto(name=name) for name in dict.fromkeys(wanted)]
        nodes = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
        for field, content in ((graph.node, nodes), (graph.input, [onnx.ValueInfoProto.FromString(port.SerializeToString()) for port in kept]), (graph.output, outputs)):
            del field[:]
            field.extend(content)
        return model.SerializeToString()

    def reads(self, node):
        for name in node.input:
            yield name
        for attribute in node.attribute:
            for graph in [attribute.g, *attribute.graphs]:
                for inner in graph.node:
                    yield from self.reads(inner)
                for port in graph.output:
                    yield port.name


