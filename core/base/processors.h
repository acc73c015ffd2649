// Loops that take most of the time of a conversion, for several kinds of processors.
#pragma once

/// Before a function: one binary serves all processors, so it has the function for each kind of them.
#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__)
#define MO_FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define MO_FOR_EACH_PROCESSOR
#endif
