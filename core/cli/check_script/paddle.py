class Paddle:
    """Tensors inside the program may be outputs, unless it is one of PaddlePaddle 3 (.json): then those that it fetches. It is fed at inputs only."""

    def __init__(self, path):
        import paddle
        paddle.enable_static()
        self.paddle, self.executor = paddle, paddle.static.Executor(paddle.CPUPlace())
        folder, program, parameters = self.files(path)
        stem, ending = os.path.splitext(program)
        # What PaddlePaddle 3 reads a ProgramDesc in.
        self.guard = getattr(getattr(paddle, "pir_utils", None), "OldIrGuard", None)
        if ending == ".json" and self.guard is None:
            raise NotComparable("%s is a program of PaddlePaddle 3, and paddlepaddle is %s: install a newer one" % (program, paddle.__version__))
        if ending == ".json" or self.guard is None:
            self.guard = contextlib.nullcontext
        names = {} if ending in (".json", ".pdmodel") and parameters in (stem + ".pdiparams", None) else {"model_filename": program, "params_filename": parameters}
        with self.guard():
            self.program, self.inputs, self.outputs = paddle.static.load_inference_model(folder if names else os.path.join(folder, stem), self.executor, **names)

    @staticmethod
    def files(path):
        """The folder, the program in it, and its parameters; None for a file for each."""
        path = os.path.join(path, "__model__") if os.path.isdir(path) else path
        folder, stem = os.path.dirname(os.path.abspath(path)), os.path.splitext(os.path.basename(path))[0]
        given = OPTIONS.get("input_weights", "")
        names = [os.path.basename(given)] if given else [stem + ".pdiparams", "__params__", "params"]
        alone = [name for name in sorted(os.listdir(folder)) if name.endswith(".pdiparams")]
        near = next((name for name in names + alone[:1] if os.path.exists(os.path.join(folder, name))), None)
        return folder, os.path.basename(path), near

    def declared(self):
        """The inputs' types and shapes, and outputs, both by names."""
        block = self.program.global_block()
        if hasattr(block, "has_var"):
            variables = {name: block.var(name) for name in block.vars}
            return {name: (one.dtype, one.shape) for name, one in variables.items() if name in self.inputs}, {name: name for name in variables}
        ends = {kind: [op for op in block.ops if op.name() == "pd_op." + kind] for kind in ("data", "fetch")}
        inputs = {op.attrs()["name"]: (op.result(0).dtype, op.result(0).shape) for op in ends["data"]}
        return inputs, dict(zip([op.attrs()["name"] for op in ends["fetch"]], self.outputs))

    def run(self, feeds, names):
        with self.guard():
            return self.run_here(feeds, names)

    def given(self, name, array):
        """Rows that are a sequence are one sequence, as in the IR."""
        block = self.program.global_block()
        if not hasattr(block, "has_var") or not getattr(block.var(name), "lod_level", 0):
            return array
        of_sequences = getattr(self.paddle, "base", None) or self.paddle.fluid
        return of_sequences.create_lod_tensor(array, [[len(array)]], self.paddle.CPUPlace())

    def run_here(self, feeds, names):
        (inputs, outputs), fed = self.declared(), {}
        for known, value, _ in feeds:
            name = next((name for name in known if name in self.inputs), None)
            if name is None:
                raise NotComparable("the program has no input of the names %s; PaddlePaddle is fed at inputs only" % known)
            type_name, shape = inputs[name]
            dtype = np.dtype(str(type_name).split(".")[-1].lower().replace("fp", "float").replace("bool", "bool_"))
            fed[name] = self.given(name, np.asarray(value(dtype, list(shape)) if callable(value) else value).astype(dtype))
        found = [next((name for name in known if name in outputs), None) for known in names]
        wanted = list(dict.fromkeys(name for name in found if name is not None))
        results = self.executor.run(self.program, feed=fed, fetch_list=[outputs[name] for name in wanted], return_numpy=False)
        arrays = dict(zip(wanted, map(np.array, results)))
        return [None if name is None else arrays[name] for name in found]


