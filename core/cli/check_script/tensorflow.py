class Tensorflow:
    def __init__(self, path):
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
        import tensorflow
        self.path, self.tf = path, tensorflow.compat.v1
        self.tf.logging.set_verbosity(self.tf.logging.ERROR)

    def run(self, feeds, names):
        tf = self.tf
        graph = tf.Graph()
        with graph.as_default(), tf.Session(graph=graph) as session:
            self.load(session)
            fed = {}
            for known, value, _ in feeds:
                tensor = self.tensor(graph, known)
                if tensor is None:
                    raise NotComparable("the model has no tensor of the names %s" % known)
                dtype = tensor.dtype.as_numpy_dtype
                shape = tensor.shape.as_list() if tensor.shape.rank is not None and None not in tensor.shape.as_list() else None
                fed[tensor] = np.asarray(value(dtype, shape) if callable(value) else value).astype(dtype)
            known_tensors = {tensor.name for tensor in fed}
            for op in graph.get_operations():
                if op.type == "Placeholder" and op.outputs[0].name not in known_tensors and op.outputs[0].dtype != tf.string:
                    shape = op.outputs[0].shape
                    fed[op.outputs[0]] = np.zeros([size or 1 for size in shape.as_list()] if shape.rank is not None else [], op.outputs[0].dtype.as_numpy_dtype)
            wanted = [self.tensor(graph, known) for known in names]
            arrays = iter(session.run([tensor for tensor in wanted if tensor is not None], fed))
            return [None if tensor is None else next(arrays) for tensor in wanted]

    def tensor(self, graph, names):
        for name in names:
            try:
                return graph.get_tensor_by_name(name)
            except (ValueError, KeyError):
                continue
        return None

    def load(self, session):
        tf = self.tf
        if os.path.isdir(self.path):
            tf.saved_model.loader.load(session, FACTS["tags"], self.path)
        elif os.path.basename(self.path) == "saved_model.pb":
            tf.saved_model.loader.load(session, FACTS["tags"], os.path.dirname(self.path) or ".")
        elif self.path.endswith(".meta"):
            tf.train.import_meta_graph(self.path).restore(session, self.path[:-5])
        elif "input_checkpoint" in OPTIONS:
            raise NotComparable("--input_checkpoint: freeze the graph, or give a MetaGraph")
        else:
            definition = tf.GraphDef()
            with open(self.path, "rb") as file:
                data = file.read()
            if self.path.endswith(".pbtxt"):
                from google.protobuf import text_format
                text_format.Parse(data, definition)
            else:
                definition.ParseFromString(data)
            tf.import_graph_def(definition, name="")


