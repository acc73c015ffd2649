// The operators that operators.def has rows for, as data: what the preprocessor leaves of this file is one `"name"
// "domain"` a row.
#define ONNX_SAME(name, domain, ...) #name domain
#define ONNX_CALL(name, domain, ...) #name domain
#define ONNX_REFUSED(...)
#include "core/front/onnx/extract/operators.def"
