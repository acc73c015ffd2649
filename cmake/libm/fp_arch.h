// Stands in for musl's own header of this name, which needs musl's architecture files: nothing is special here.
#pragma once
