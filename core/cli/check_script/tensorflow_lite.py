class TensorflowLite:
    """Outputs may be any tensors of the model; it can be fed at its inputs only."""
    STEPS = (np.int8, np.uint8, np.int16)

    def __init__(self, path):
        try:
            from ai_edge_litert import interpreter as lite
        except ImportError:
            from tensorflow.lite.python import interpreter as lite
        self.path, self.lite = path, lite
        self.interpreter = lite.Interpreter(path)
        self.ports = self.interpreter.get_input_details()
        # Each result of a quantised layer is rounded.
        self.rounds = any(self.in_steps(tensor) for tensor in self.interpreter.get_tensor_details())

    def in_steps(self, tensor):
        """Whether its integers mean real numbers."""
        return tensor["dtype"] in self.STEPS and len(tensor["quantization_parameters"]["scales"]) > 0

    def quantised(self, one):
        port = self.port(one["names"])
        if port is not None and self.in_steps(port):
            return port["dtype"]
        return np.float32 if self.rounds else None

    def port(self, known):
        return next((port for port in self.ports if port["name"] in known), None)

    def run(self, feeds, names):
        outputs = {port["name"]: port for port in self.interpreter.get_output_details()}
        if not all(outputs.keys() & known for known in map(set, names)):
            # Delegates keep tensors inside the model to themselves.
            plain = self.lite.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
            self.interpreter = self.lite.Interpreter(self.path, experimental_op_resolver_type=plain, experimental_preserve_all_tensors=True)
            outputs = {**{port["name"]: port for port in self.interpreter.get_tensor_details()}, **outputs}
        fed = []
        for known, value, _ in feeds:
            port = self.port(known)
            if port is None:
                raise NotComparable("the model has no input of the names %s; TensorFlow Lite is fed at inputs only" % known)
            array = np.asarray(value(port["dtype"], list(port["shape"])) if callable(value) else value).astype(port["dtype"])
            fed.append((port["index"], array))
            if list(port["shape"]) != list(array.shape):
                self.interpreter.resize_tensor_input(port["index"], array.shape)
        self.interpreter.allocate_tensors()
        for index, array in fed:
            self.interpreter.set_tensor(index, array)
        self.interpreter.invoke()
        found = [next((outputs[name] for name in known if name in outputs), None) for known in names]
        return [None if port is None else self.interpreter.get_tensor(port["index"]) for port in found]


