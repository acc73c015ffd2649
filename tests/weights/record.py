"""npm run record -- weights [names…]: what NNCF makes of the weights of our own IRs, in .venv-nncf, to tests/weights/recorded.json.

Needs the command (MO), and .venv for the models. What is recorded belongs to the IR in f32: a case is recorded again when its names change.
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import environment  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))
RECORDED = os.path.join(HERE, "recorded.json")
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))


def main():
    environment.go_on_as(os.path.join(ROOT, ".venv", "bin", "python"), os.path.join(ROOT, ".venv"))
    import cases
    python = environment.named("nncf")[1]
    names = sys.argv[1:] or list(cases.CASES)
    recorded = json.load(open(RECORDED, encoding="utf-8")) if os.path.exists(RECORDED) else {}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            place = os.path.join(folder, name)
            os.mkdir(place)
            model = cases.CASES[name](place)
            subprocess.run([MO, *model, "--output_dir", place, "--model_name", "ir", "--compress_to_fp16=False", "--silent", "True"], check=True)
            work = [[os.path.join(place, "ir.xml"), mode, options] for mode, (_, options) in cases.MODES.items()]
            with open(os.path.join(place, "work.json"), "w", encoding="utf-8") as file:
                json.dump(work, file)
            subprocess.run([python, os.path.join(HERE, "in_nncf.py"), os.path.join(place, "work.json"), os.path.join(place, "answers.json")], check=True, stdout=subprocess.DEVNULL)
            answers = json.load(open(os.path.join(place, "answers.json"), encoding="utf-8"))
            recorded[name] = dict(zip(cases.MODES, answers))
            print(name, {mode: answer if isinstance(answer, str) else len(answer["constants"]) for mode, answer in recorded[name].items()})
    with open(RECORDED, "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(f" {json.dumps(name)}: {{\n" + ",\n".join(f"  {json.dumps(mode)}: {json.dumps(answer, separators=(',', ':'))}" for mode, answer in recorded[name].items()) + "\n }"
                                       for name in cases.CASES if name in recorded) + "\n}\n")


if __name__ == "__main__":
    main()
