# core.mjs + core.wasm: one pair for the page, its workers and Node, each of which supplies the module's bytes.
# core.inputs lists what they were linked from: scripts/notices.mjs reads it. scripts/package/optimize.mjs makes the module smaller.
file(GLOB wasm_sources CONFIGURE_DEPENDS wasm/cpp/*.cpp)
if(wasm_sources)
  # If several objects have the same template function, the linker takes the first: swift objects come first.
  add_executable(core ${swift_objects} ${wasm_sources})
  target_link_libraries(core PRIVATE mo_core)
  mo_own_code(core mo_core)
  # -Os: linked under -Oz, memcpy would copy byte by byte.
  target_link_options(core PRIVATE -Os --bind -sMODULARIZE=1 -sEXPORT_ES6=1 -sUSE_ES6_IMPORT_META=0 -sEXPORT_NAME=createCore
    -sENVIRONMENT=web,worker -sFILESYSTEM=0 -sDYNAMIC_EXECUTION=0
    -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sINITIAL_MEMORY=16MB --js-library=${CMAKE_SOURCE_DIR}/wasm/cpp/memory.js
    --profiling-funcs -Wl,--trace)  # names of functions, by which they are sorted
  set_target_properties(core PROPERTIES SUFFIX .mjs LINK_DEPENDS ${CMAKE_SOURCE_DIR}/wasm/cpp/memory.js
    RULE_LAUNCH_LINK "${CMAKE_SOURCE_DIR}/cmake/output-to.sh ${CMAKE_BINARY_DIR}/core.inputs")
endif()
