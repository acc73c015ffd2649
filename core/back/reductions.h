// The reductions that a runtime joins with what is before or behind them.
#pragma once

namespace mo {

inline constexpr const char* kReductions[] = {"ReduceSum",  "ReduceMean", "ReduceMax", "ReduceMin",
                                              "ReduceProd", "ReduceL1",   "ReduceL2"};

}  // namespace mo
