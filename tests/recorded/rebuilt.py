"""Recorded networks that are written as model files again, without TensorFlow: the list of a folder, and the command."""
import os
import sys


def names(folder):
    return [file[:-4] for file in sorted(os.listdir(folder)) if file.endswith(".npz")] if os.path.isdir(folder) else []


def command(program, networks, folder, ending, load):
    """Writes the networks that the command line names, or all of `networks`, to `folder`."""
    unknown = set(sys.argv[1:]) - set(names(networks))
    if unknown:
        sys.exit(f"{program}: no such network: {', '.join(sorted(unknown))}")
    os.makedirs(folder, exist_ok=True)
    for name in sys.argv[1:] or names(networks):
        path = os.path.normpath(os.path.join(folder, name + ending))
        load(name).write(path)
        print(f"{path}: {os.path.getsize(path)} bytes")
