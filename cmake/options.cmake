# Compiler options of all targets, and those of our own code.

# No contraction into fused multiply-adds: the same input gives the same bytes on all hosts.
add_compile_options(-ffp-contract=off "$<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>")

# On arm64 `char` has no sign unless the compiler is told; it has one on all other hosts.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  add_compile_options(-fsigned-char)
endif()

# No path of the machine that builds ends up in what is built.
add_compile_options(-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)

if(NOT EMSCRIPTEN AND NOT MO_SANITIZE AND NOT WIN32)
  # The linker leaves out each function that nothing calls, but not for Windows: binutils takes minutes for so many sections.
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-Wl,--gc-sections)
  # No exception passes through C: tables for that would be a tenth of the script engine.
  add_compile_options($<$<COMPILE_LANGUAGE:C>:-fno-asynchronous-unwind-tables>)
endif()

if(EMSCRIPTEN)
  add_compile_options(-fwasm-exceptions -msimd128 -fno-threadsafe-statics)
  add_link_options(-fwasm-exceptions -fno-rtti)
endif()

if(MO_SANITIZE)
  # At a fixed address, no relocations: they would be a fifth of the time in which a small model is converted.
  add_compile_options(-fsanitize=address -fno-omit-frame-pointer -fno-pie)
  add_link_options(-fsanitize=address,undefined -no-pie)
endif()
if(MO_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Files that include json, protobuf, embind or QuickJS are compiled alone: in a unity file they would slow down the others.
# Those of Windows, too: its headers define words such as ERROR.
set(mo_lone_sources "/core/(.*/)?json_[^/]*\\.cpp$|/core/front/paddle/load/lite_[^/]*\\.cpp$|/core/script/.*\\.cpp$|/wasm/cpp/[^/]*\\.cpp$|_windows\\.cpp$")
# The registries are compiled alone too: a program with extensions in C++ links its own instead.
# Each has the name of its table: extension_TABLE.def adds rows to it.
set(mo_registry_of_transforms core/pipeline/transforms.cpp)
set(mo_registry_of_options core/pipeline/option_table.cpp core/cli/texts/describe.cpp)
set(mo_registry_of_ops core/ops/registry.cpp)
set(mo_registry_of_formats core/front/formats.cpp)
set(mo_registry_of_operators core/front/onnx/extract/extractor.cpp)
set(mo_registry_of_tf_operators core/front/tf/extract/extractor.cpp)
set(mo_registry_of_mxnet_operators core/front/mxnet/extract/extractor.cpp)
set(mo_registry_of_kaldi_operators core/front/kaldi/extract/extractor.cpp)
set(mo_registries ${mo_registry_of_transforms} ${mo_registry_of_options} ${mo_registry_of_ops} ${mo_registry_of_formats}
  ${mo_registry_of_operators} ${mo_registry_of_tf_operators} ${mo_registry_of_mxnet_operators}
  ${mo_registry_of_kaldi_operators})

# mo_own_code(TARGET [HEADERS_OF]): warnings are errors, includes start at the root, unity build, precompiled standard headers:
# its own, or those of a target that is compiled with the same options.
function(mo_own_code target)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-stringop-overflow> -Werror)
  if(MO_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=undefined -fno-sanitize-recover=undefined)
  endif()
  if(ARGC GREATER 1)
    target_precompile_headers(${target} REUSE_FROM ${ARGV1})
  else()
    target_precompile_headers(${target} PRIVATE ${CMAKE_SOURCE_DIR}/core/base/pch.h)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${MO_UNITY} UNITY_BUILD_BATCH_SIZE 40)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "${mo_lone_sources}")
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# mo_tool_code(TARGET [HEADERS_OF]): our own code that no user runs: without optimization it compiles in a third of the time.
# In WebAssembly such code is ten times as slow as natively, so there it is optimized a little.
function(mo_tool_code target)
  target_compile_options(${target} PRIVATE $<IF:$<BOOL:${EMSCRIPTEN}>,-O1,-O0>)
  mo_own_code(${target} ${ARGN})
endfunction()

# mo_runs_in_node(TARGET): under Emscripten, a program with a main() becomes TARGET.cjs for Node, with access to the host's files.
# Linking it without passes over the whole program takes a third of the time.
function(mo_runs_in_node target)
  if(EMSCRIPTEN)
    # Without WASM_ASYNC_COMPILATION=0 the glue would fetch() its own file, which Node refuses.
    target_link_options(${target} PRIVATE -O1 -Wl,--lto-O0 -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sWASM_ASYNC_COMPILATION=0
      -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB)
    set_target_properties(${target} PROPERTIES SUFFIX .cjs RULE_LAUNCH_LINK "${mo_link}")
  endif()
endfunction()

set(keeps_links 0)
if(MO_CCACHE)
  find_program(CCACHE ccache)
  if(CCACHE)
    set(keeps_links 1)
    # Paths count from the root of the sources: clones share what g++ compiled. What clang compiled is shared by clones at one
    # path only, because CMake passes the name of the precompiled header behind -Xclang, which ccache leaves absolute.
    # ccache caches precompiled headers only with this sloppiness; g++ also needs -fpch-preprocess, and clang must not write the times of
    # headers into them. em++ is a script: the compiler behind it is what ccache can judge.
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime)
    if(EMSCRIPTEN)
      list(APPEND launcher EM_COMPILER_WRAPPER=${CCACHE})
    else()
      list(APPEND launcher ${CCACHE})
    endif()
    set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
    add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>")
    add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()

# How programs for WebAssembly are linked.
set(mo_link "${CMAKE_SOURCE_DIR}/cmake/link-wasm.sh ${keeps_links}")
