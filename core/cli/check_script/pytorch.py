class Pytorch:
    """Tensors inside the program may be outputs; it is fed at inputs only. Complex numbers are pairs in a last dimension, as in the IR."""

    def __init__(self, path):
        import logging
        import torch
        logging.disable(logging.WARNING)
        self.torch, programs = torch, self.programs(torch, path)
        name = OPTIONS.get("model_name", FACTS["name"])
        if len(programs) > 1 and name not in programs:
            raise NotComparable("%s has the programs %s, and none of the name %s" % (path, ", ".join(sorted(programs)), name))
        self.program = programs[name] if name in programs else next(iter(programs.values()))

    @classmethod
    def programs(cls, torch, path):
        """By their names. What a program of Hugging Face returns is of a class that PyTorch knows only once the class's module is imported."""
        known = set()
        while True:
            try:
                return cls.loaded(torch, path)
            except NotImplementedError as error:
                name = re.search(r"\b((?:transformers|diffusers)(?:\.\w+)*)\.\w+\b", str(error))
                if name is None or name[1] in known:
                    raise
                known.add(name[1])
                __import__(name[1])

    @staticmethod
    def loaded(torch, path):
        try:
            from torch.export.pt2_archive._package import load_pt2
            programs = load_pt2(path).exported_programs
        except (ImportError, RuntimeError, ValueError, KeyError):  # of a release before 2.8, or written by one
            programs = {}
        return programs or {"model": torch.export.load(path)}

    def array_of(self, tensor):
        tensor = tensor.detach().resolve_conj().resolve_neg().cpu()
        if tensor.is_complex():
            tensor = self.torch.view_as_real(tensor)
        return (tensor.float() if tensor.dtype == self.torch.bfloat16 else tensor).contiguous().numpy()

    def fed(self, value, like):
        """What an input takes: a tensor, or a number."""
        torch = self.torch
        if not isinstance(like, torch.Tensor):
            array = np.asarray(value(np.float64, None) if callable(value) else value)
            return type(like)(array.item()) if isinstance(like, (bool, int, float)) else array.item()
        dtype = {torch.bfloat16: np.float32}.get(like.dtype) or torch.empty(0, dtype=like.real.dtype if like.is_complex() else like.dtype).numpy().dtype
        shape = None if any(not isinstance(size, int) for size in like.shape) else list(like.shape)
        array = np.asarray(value(dtype, shape) if callable(value) else value).astype(dtype)
        tensor = torch.from_numpy(np.array(array, order="C"))
        return torch.view_as_complex(tensor) if like.is_complex() else tensor.to(like.dtype)

    def arguments(self, feeds):
        """For each placeholder of the graph, in their order."""
        program, unknown = self.program, [known for known, _, _ in feeds]
        places = [node for node in program.graph.nodes if node.op == "placeholder"]
        for spec, place in zip(program.graph_signature.input_specs, places):
            if spec.kind.name != "USER_INPUT":
                target = spec.target
                yield program.state_dict[target] if target in program.state_dict else program.constants[target]
                continue
            given = next(((known, value) for known, value, _ in feeds if spec.arg.name in known), None)
            if given is not None:
                unknown.remove(given[0])
                yield self.fed(given[1], place.meta["val"])
            else:
                yield getattr(spec.arg, "value", None)
        if unknown:
            raise NotComparable("the program has no input of the names %s; PyTorch is fed at inputs only" % unknown[0])

    def run(self, feeds, names):
        torch, found = self.torch, {}
        wanted = {name for known in names for name in known}

        class Run(torch.fx.Interpreter):
            def run_node(self, node):
                result = super().run_node(node)
                if node.name in wanted:
                    found[node.name] = result
                return result

        with torch.no_grad():
            Run(self.program.graph_module).run(*self.arguments(feeds))
        tensors = [next((found[name] for name in known if name in found), None) for known in names]
        return [self.array_of(one) if isinstance(one, torch.Tensor) else one if one is None else np.asarray(one) for one in tensors]


