"""Small graphs that the runtime computes wrongly, or not at all. Each module has:

    VERDICT   "wrong numbers", "does not compile" or "crash": what OpenVINO's CPU plugin does with the graph; "crash or wrong numbers" where
              that depends on what else is in memory
    build()   the graph as an openvino.Model, what it is fed by name, and the right results, in the order of the outputs

docs/runtime.md says what the converter writes instead. test_runtime_faults.py runs each graph in a process of its own.
"""
