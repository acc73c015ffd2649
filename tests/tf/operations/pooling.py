"""Pooling over two and three dimensions."""
from graphs import Family, fed

case = Family(__name__).case

for padding in ("SAME", "VALID"):
    for kind, name in (("MaxPool", "input"), ("AvgPool", "value")):
        case(kind, padding.lower(), unknown=(0, 1, 2), **{name: fed(1, 7, 8, 3)}, ksize=[1, 3, 2, 1], strides=[1, 2, 2, 1], padding=padding)
    for kind in ("MaxPool3D", "AvgPool3D"):
        case(kind, padding.lower(), input=fed(1, 5, 6, 7, 2), ksize=[1, 2, 3, 3, 1], strides=[1, 2, 2, 2, 1], padding=padding)
case("AvgPool", "same_stride_1", value=fed(1, 5, 5, 2), ksize=[1, 3, 3, 1], strides=[1, 1, 1, 1], padding="SAME")
case("AvgPool", "nchw", value=fed(1, 3, 7, 8), ksize=[1, 1, 3, 2], strides=[1, 1, 2, 2], padding="SAME", data_format="NCHW")
case("MaxPool", "nchw", input=fed(1, 3, 7, 8), ksize=[1, 1, 3, 2], strides=[1, 1, 2, 2], padding="SAME", data_format="NCHW")
case("MaxPool", "explicit", input=fed(1, 7, 7, 3), ksize=[1, 3, 3, 1], strides=[1, 2, 2, 1], padding="EXPLICIT", explicit_paddings=[0, 0, 1, 0, 0, 1, 0, 0])
case("MaxPool3D", "ncdhw", input=fed(1, 2, 5, 6, 7), ksize=[1, 1, 2, 3, 3], strides=[1, 1, 2, 2, 2], padding="SAME", data_format="NCDHW")
case("MaxPoolV2", input=fed(1, 6, 6, 3), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
case("MaxPoolWithArgmax", take=[0, 1], input=fed(1, 6, 6, 2), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID")
case("MaxPoolWithArgmax", "values", take=[0], input=fed(2, 6, 6, 2), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
