class Kaldi:
    """Arrays [frames, elements] that Kaldi's own programs computed, against the IR, which takes one frame a call and keeps its states. No package for
    Python runs Kaldi. As its programs do, the first frame is repeated before an utterance, and the last one behind it, as often as the network's contexts
    ask for. What a network says of the whole utterance, as x-vectors, is a vector: there nothing is repeated, and the output after the last frame counts."""
    USAGE = """no package for Python runs models of Kaldi. Compute its output with its own programs, as text, and give it with the features:
  nnet3:  nnet3-compute --use-gpu=no --frames-per-chunk=100000 "nnet3-am-copy --raw=true final.mdl - |" ark,t:feats.txt ark,t:out.txt
          chain models: also --frame-subsampling-factor=3, and --every 3 here; x-vectors: nnet3-xvector-compute final.raw ark,t:feats.txt ark,t:out.txt
  nnet2:  nnet-am-compute final.mdl ark,t:feats.txt ark,t:out.txt
  nnet1:  nnet-forward final.nnet ark,t:feats.txt ark,t:out.txt
  here:   --data %s=feats.txt --expected out.txt"""

    def __init__(self, args):
        if not args.expected:
            raise NotComparable(self.USAGE % INPUTS[0]["name"])
        self.args, self.utterance, self.arrays = args, args.utterance, {}
        if args.expected.endswith(".npz"):
            self.arrays = dict(np.load(args.expected))
        else:
            self.utterance, array = self.from_archive(args.expected)
            self.arrays[next((name for one in OUTPUTS for name in [one["name"], *one["names"]] if name == "output"), OUTPUTS[0]["name"])] = array

    @staticmethod
    def arguments(parser):
        parser.add_argument("--utterance", metavar="NAME", help="the one of text archives that is compared; by default the first")
        parser.add_argument("--every", type=int, default=1, metavar="N", help="the expected output has every Nth frame: 3 for chain models")
        parser.add_argument("--left-context", type=int, metavar="L", help="how often the first frame is repeated; by default what the IR says")
        parser.add_argument("--right-context", type=int, metavar="R", help="how often the last frame is repeated, and how late outputs are; by default what the IR says")

    @staticmethod
    def archive(path):
        """The utterances of a text archive, with their matrices, or, where they stand on one line, vectors. A file of one array has no name before it."""
        with open(path, "rb") as file:
            rows = None
            for line in file:
                words = line.replace(b"[", b" [ ").replace(b"]", b" ] ").split()
                if rows is None and words:
                    if b"[" not in words:
                        raise NotComparable("%s is no text archive of Kaldi: its programs write one to ark,t:FILE" % path)
                    at = words.index(b"[")
                    name, words, rows = b" ".join(words[:at]).decode(errors="replace"), words[at + 1:], []
                    is_vector = len(words) > 1
                if rows is not None:
                    rows += [np.array(numbers, np.float32) for numbers in [[word for word in words if word != b"]"]] if numbers]
                    if b"]" in words:
                        if any(len(row) != len(rows[0]) for row in rows):
                            raise NotComparable("%s: the rows of %s have different lengths" % (path, name or "the matrix"))
                        yield name, rows[0] if is_vector and rows else np.array(rows, np.float32)
                        rows = None

    def from_archive(self, path):
        found = next(((name, array) for name, array in self.archive(path) if self.utterance in (None, name) or not name), None)
        if found is None:
            raise NotComparable("%s has no utterance%s" % (path, "" if self.utterance is None else " " + self.utterance))
        return found

    def features(self):
        """For each input an array [frames, elements]. One row is that of all frames: an i-vector of the utterance."""
        files, arrays = by_name(self.args.data, "data"), []
        for i, one in enumerate(INPUTS):
            if i not in files:
                raise NotComparable("give the numbers of input %s: --data %s=FILE, a .npy or a text archive" % (one["name"], one["name"]))
            array = np.load(files[i]) if files[i].endswith(".npy") else self.from_archive(files[i])[1]
            array = np.asarray(array, np.float32).reshape(1 if array.ndim == 1 else len(array), -1)
            size = sizes_of(one)[-1]
            if size.isdigit() and array.shape[1] != int(size):
                raise NotComparable("--data %s: rows of %d numbers, input %s takes %s" % (files[i], array.shape[1], one["name"], size))
            arrays.append(array)
        frames = max(len(array) for array in arrays)
        wrong = [one["name"] for one, array in zip(INPUTS, arrays) if len(array) not in (1, frames)]
        if wrong:
            raise NotComparable("input %s has neither one row nor one for each of the %d frames" % (wrong[0], frames))
        return [np.repeat(array, frames, 0) if len(array) == 1 else array for array in arrays]

    def contexts(self, model):
        """Of the network: how many frames before a frame its outputs depend on, and how many after it."""
        given = []
        for name in ("left_context", "right_context"):
            value, path = getattr(self.args, name), ["kaldi", name]
            if value is None and not model.has_rt_info(path):
                raise NotComparable("the IR does not say the contexts of the network: give --left-context and --right-context")
            given.append(int(model.get_rt_info(path).astype(str) if value is None else value))
        return given

    @staticmethod
    def frames(compiled, features, left, right):
        """The outputs of all calls. States are kept from call to call."""
        order = np.clip(np.arange(-left, len(features[0]) + right), 0, len(features[0]) - 1)
        request, outputs = compiled.create_infer_request(), []
        for frame in order:
            request.infer({i: np.ascontiguousarray(array[frame:frame + 1]) for i, array in enumerate(features)})
            outputs.append([request.get_output_tensor(i).data.reshape(-1).copy() for i in range(len(OUTPUTS))])
        return [np.array(output) for output in zip(*outputs)]

    def compare(self, tolerance):
        model, compiled = compiled_ir(self.args.ir, len(INPUTS))
        features, (left, right) = self.features(), self.contexts(model)
        wanted = [next((self.arrays[name] for name in [one["name"], *one["names"]] if name in self.arrays), None) for one in OUTPUTS]
        whole = any(want is not None and want.ndim == 1 for want in wanted)
        print("%d frames, contexts %d and %d%s" % (len(features[0]), left, right, ", which are not repeated for a vector" if whole else ""))
        found = self.frames(compiled, features, 0, 0) if whole else self.frames(compiled, features, left, right)
        code, compared = 0, 0
        for one, want, got in zip(OUTPUTS, wanted, found):
            if want is None:
                print("%-32s not comparable: --expected has no such array" % one["name"])
                continue
            compared += 1
            want = want.reshape(1, -1) if want.ndim == 1 else want.reshape(len(want), -1)
            got = got[-1:] if whole else got[left + right::self.args.every]
            if want.shape != got.shape:
                print("%-32s WRONG SHAPE: %s is expected, %s in the IR" % (one["name"], list(want.shape), list(got.shape)))
                code = 1
                continue
            relative = np.array([errors(*pair)[1] for pair in zip(want, got)])
            bad = np.flatnonzero(~(relative <= tolerance))
            code = max(code, int(len(bad) > 0))
            print("%-32s largest error %.3g, relative %.3g in frame %d of %d%s" % (
                one["name"], errors(want, got)[0], relative.max(), relative.argmax(), len(relative), "  ABOVE THE TOLERANCE from frame %d on" % bad[0] if len(bad) else ""))
        if compared == 0:
            raise NotComparable("--expected has none of the outputs %s" % ", ".join(one["name"] for one in OUTPUTS))
        return code
