"""Operators that passes over programs have made of several."""
from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case

for functors in (["elementwise_add", "relu"], ["relu", "elementwise_add"], ["elementwise_mul", "tanh"], ["scale", "elementwise_add"], ["elementwise_add", "scale"]):
    case("fused_elemwise_activation", "_of_".join(functors), attrs={"functor_list": functors, "axis": 1, "scale": 2.5, "save_intermediate_out": False}, take=[0], X=fed(2, 3, 4), Y=fixed(3))
case("fused_elemwise_add_activation", unknown=(0,), attrs={"functor_list": ["elementwise_add", "relu"], "axis": -1}, take=[0], X=fed(2, 3), Y=fed(2, 3))
case("fusion_repeated_fc_relu", outs={"ReluOut": ["float32", "float32"]}, take=[-1], X=fed(2, 3), W=[fixed(3, 4), fixed(4, 5), fixed(5, 2)], Bias=[fixed(1, 4), fixed(1, 5), fixed(1, 2)])
case("fusion_squared_mat_sub", attrs={"scalar": 0.5}, take=[-1], X=fed(2, 3), Y=fed(3, 4))
case("fc", unknown=(0,), Input=fed(2, 3), W=fixed(3, 4), Bias=fixed(4))
case("fc", "relu", attrs={"in_num_col_dims": 2, "activation_type": "relu"}, Input=fed(2, 3, 4), W=fixed(4, 5), Bias=fixed(1, 5))
case("fc", "no_bias", attrs={"in_num_col_dims": 1}, Input=fed(2, 3, 4), W=fixed(12, 5))
