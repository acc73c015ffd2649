// The extension table: functions over numbers, for JavaScript. Declared in wasm/extension/core/core-table.ts.
#pragma once

#include "core/script/val.h"

namespace mo::js {

void add_graph_functions(Table& table);
void add_port_functions(Table& table);
void add_match_functions(Table& table);

inline void add_functions(Table& table) {
  add_graph_functions(table);
  add_port_functions(table);
  add_match_functions(table);
}

}  // namespace mo::js
