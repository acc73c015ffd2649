// Stands in for musl's own header of this name, which needs musl's architecture files.
#pragma once
#define hidden __attribute__((__visibility__("hidden")))
