// musl's <math.h>, whatever the host's is.
#pragma once
#include <musl/include/math.h>
