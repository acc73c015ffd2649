# mo_tests: every test of tests/core in one program, run at the root of the sources. Under Emscripten it runs in Node.
find_path(googletest_folder googletest/src/gtest-all.cc REQUIRED NO_CMAKE_FIND_ROOT_PATH PATHS /usr/src/googletest)
set(googletest ${googletest_folder}/googletest)
add_library(gtest_main STATIC ${googletest}/src/gtest-all.cc ${googletest}/src/gtest_main.cc)
target_include_directories(gtest_main SYSTEM PUBLIC ${googletest}/include PRIVATE ${googletest})
target_link_libraries(gtest_main PRIVATE third_party_options)
if(EMSCRIPTEN)
  target_compile_definitions(gtest_main PUBLIC GTEST_HAS_PTHREAD=0)
endif()

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS tests/core/*.cpp)
add_executable(mo_tests ${test_sources})
target_link_libraries(mo_tests PRIVATE mo_core gtest_main)
target_compile_definitions(mo_tests PRIVATE MO_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
mo_own_code(mo_tests)
if(EMSCRIPTEN)
  # Without WASM_ASYNC_COMPILATION=0 the glue would fetch() its own file, which Node refuses.
  target_link_options(mo_tests PRIVATE -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sWASM_ASYNC_COMPILATION=0
    -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB)
  set_target_properties(mo_tests PROPERTIES SUFFIX .cjs)
endif()
add_test(NAME mo_tests COMMAND mo_tests WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})

# mo_layout_graphs: the graphs of tests/core/layout through the converter, for tests/numeric/test_layout.py.
if(NOT EMSCRIPTEN)
  file(GLOB layout_graph_sources CONFIGURE_DEPENDS tests/core/layout/*_graphs.cpp)
  add_executable(mo_layout_graphs tests/layout/main.cpp core/cli/disk_files.cpp core/cli/write_ir_pair.cpp
    ${layout_graph_sources})
  target_link_libraries(mo_layout_graphs PRIVATE mo_core)
  mo_own_code(mo_layout_graphs)
  add_dependencies(mo_tests mo_layout_graphs)
endif()

# mo_extended: `mo` with the extensions in C++ of docs/examples/cpp, as MO_EXTENSIONS makes it, without a second build.
file(GLOB example_sources CONFIGURE_DEPENDS docs/examples/cpp/*.cpp)
if(example_sources AND NOT EMSCRIPTEN)
  list(TRANSFORM mo_registries PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE extended_registries)
  add_executable(mo_extended ${cli_sources} ${example_sources} ${extended_registries})
  target_include_directories(mo_extended PRIVATE docs/examples/cpp)
  target_link_libraries(mo_extended PRIVATE mo_core)
  mo_own_code(mo_extended)

  # mo_channels_last: `mo` that makes models with channels last of those with channels first, for tests/numeric/test_axes.py.
  file(GLOB channels_last_sources CONFIGURE_DEPENDS tests/numeric/channels_last/*.cpp)
  add_executable(mo_channels_last ${cli_sources} ${channels_last_sources} ${extended_registries})
  target_include_directories(mo_channels_last PRIVATE tests/numeric/channels_last)
  target_link_libraries(mo_channels_last PRIVATE mo_core)
  mo_own_code(mo_channels_last)
endif()
