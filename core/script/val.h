// A value of JavaScript: embind's class in WebAssembly, natively one with the same members over QuickJS. The functions
// of the extension table are written against it once, for all hosts.
#pragma once

#ifdef __EMSCRIPTEN__
#include "core/script/embind/val.h"
#else
#include "core/script/quickjs/val.h"
#endif
