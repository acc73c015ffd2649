// Stands in for musl's own header of this name, which needs musl's architecture files.
#pragma once
typedef float float_t;
typedef double double_t;
