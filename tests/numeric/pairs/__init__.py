"""Every pair of operations, computed by the runtime and by NumPy: run.py. A step (moving.py, elementwise.py, sums.py) applies one operation
to a tensor of any rank, with sizes and constants that are drawn."""
