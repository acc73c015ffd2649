# core.mjs + core.wasm: one pair for the page, its workers and Node, each of which supplies the module's bytes.
# core.inputs lists what they were linked from: scripts/notices.mjs reads it. scripts/package/optimize.mjs makes the module smaller.
file(GLOB wasm_sources CONFIGURE_DEPENDS wasm/cpp/*.cpp)

# mo_wasm_core(TARGET [SOURCE...]): TARGET.mjs + TARGET.wasm, of the bindings and these sources.
function(mo_wasm_core target)
  # If several objects have the same template function, the linker takes the first: swift objects come first.
  add_executable(${target} ${swift_objects} ${ARGN} ${wasm_sources})
  target_link_libraries(${target} PRIVATE mo_core)
  mo_own_code(${target} mo_core)
  target_link_options(${target} PRIVATE --bind -sMODULARIZE=1 -sEXPORT_ES6=1 -sUSE_ES6_IMPORT_META=0 -sEXPORT_NAME=createCore
    -sENVIRONMENT=web,worker -sFILESYSTEM=0 -sDYNAMIC_EXECUTION=0
    -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sINITIAL_MEMORY=16MB --js-library=${CMAKE_SOURCE_DIR}/wasm/cpp/memory.js)
  set_target_properties(${target} PROPERTIES SUFFIX .mjs LINK_DEPENDS ${CMAKE_SOURCE_DIR}/wasm/cpp/memory.js RULE_LAUNCH_LINK "${mo_link}")
endfunction()

if(wasm_sources)
  mo_wasm_core(core)
  # -Os: linked under -Oz, memcpy would copy byte by byte.
  target_link_options(core PRIVATE -Os --profiling-funcs -Wl,--trace)  # names of functions, by which they are sorted
endif()
