# mo_tests: every test of tests/core in one program, run at the root of the sources. Under Emscripten it runs in Node.
find_path(googletest_folder googletest/src/gtest-all.cc REQUIRED NO_CMAKE_FIND_ROOT_PATH PATHS /usr/src/googletest)
set(googletest ${googletest_folder}/googletest)
add_library(gtest_main STATIC ${googletest}/src/gtest-all.cc ${googletest}/src/gtest_main.cc)
target_include_directories(gtest_main SYSTEM PUBLIC ${googletest}/include PRIVATE ${googletest})
target_link_libraries(gtest_main PRIVATE third_party_options)
target_compile_options(gtest_main PRIVATE -O0)
if(EMSCRIPTEN)
  target_compile_definitions(gtest_main PUBLIC GTEST_HAS_PTHREAD=0)
endif()

# Messages are read as text and in protoc's binary form of it: Caffe's models, and every type of field.
execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/fetch-third-party.sh tests COMMAND_ERROR_IS_FATAL ANY)
set(caffe_proto ${MO_THIRD_PARTY}/caffe/mo_caffe.proto)
set(kinds_folder ${CMAKE_SOURCE_DIR}/tests/core/base/proto)
mo_proto_schema(caffe ${caffe_proto} mo::caffe::pb)
mo_proto_schema(kinds ${kinds_folder}/kinds.proto mo::test::pb)
file(GLOB caffe_texts CONFIGURE_DEPENDS ${MO_THIRD_PARTY}/caffe/*.prototxt)
set(encoded)
function(mo_encode text proto message folder)
  cmake_path(GET text FILENAME name)
  cmake_path(GET proto PARENT_PATH proto_folder)
  add_custom_command(OUTPUT ${folder}/${name}.bin
    COMMAND sh -c "$1 --encode=$2 -I$3 $4 <$5 >$6" encode ${PROTOC} ${message} ${proto_folder} ${proto} ${text} ${folder}/${name}.bin
    DEPENDS ${text} ${proto} VERBATIM)
  set(encoded ${encoded} ${folder}/${name}.bin PARENT_SCOPE)
endfunction()
mo_encode(${kinds_folder}/kinds.prototxt ${kinds_folder}/kinds.proto mo.test.Kinds ${CMAKE_BINARY_DIR}/generated/kinds)
foreach(text IN LISTS caffe_texts)
  mo_encode(${text} ${caffe_proto} mo_caffe.NetParameter ${CMAKE_BINARY_DIR}/generated/caffe)
endforeach()
list(JOIN caffe_texts "\n" caffe_list)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/caffe/texts CONTENT "${caffe_list}\n" @ONLY)

# Code that several test programs share, and their precompiled headers.
file(GLOB test_support CONFIGURE_DEPENDS tests/core/support/*.cpp tests/core/layout/*_graphs.cpp tests/core/layout/layout_conversion.cpp)
add_library(mo_test_support STATIC ${test_support})
target_link_libraries(mo_test_support PUBLIC mo_core pugixml PRIVATE gtest_main)
mo_tool_code(mo_test_support)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS tests/core/*.cpp)
list(REMOVE_ITEM test_sources ${test_support})
add_executable(mo_tests ${test_sources} ${caffe_messages} ${kinds_messages} ${encoded})
target_include_directories(mo_tests SYSTEM PRIVATE ${CMAKE_BINARY_DIR}/generated/caffe ${CMAKE_BINARY_DIR}/generated/kinds)
target_link_libraries(mo_tests PRIVATE mo_test_support gtest_main)
cmake_path(RELATIVE_PATH CMAKE_BINARY_DIR BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE build_folder)
target_compile_definitions(mo_tests PRIVATE MO_GENERATED_DIR="${build_folder}/generated")
mo_tool_code(mo_tests mo_test_support)
mo_runs_in_node(mo_tests)
# Sanitizers say nothing about speed.
add_test(NAME mo_tests COMMAND mo_tests $<$<BOOL:${MO_SANITIZE}>:--gtest_filter=-PatternSpeed.*>
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} COMMAND_EXPAND_LISTS)
# mo_rows_of(FOLDER): the sources of extensions in FOLDER and of the registries to which they add rows, in `sources` and `registries`.
macro(mo_rows_of folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  file(GLOB tables CONFIGURE_DEPENDS ${folder}/extension_*.def)
  set(registries)
  foreach(table IN LISTS tables)
    string(REGEX REPLACE ".*/extension_(.*)\\.def$" "\\1" table ${table})
    list(APPEND registries ${mo_registry_of_${table}})
  endforeach()
endmacro()

if(EMSCRIPTEN)
  # core_toy: `core` with the toy formats. scripts/build-toy.mjs makes a package and a page of it.
  mo_rows_of(tests/toy)
  list(FILTER registries EXCLUDE REGEX "^core/cli/")
  mo_wasm_core(core_toy ${sources} ${registries})
  target_include_directories(core_toy PRIVATE tests/toy)
  target_link_options(core_toy PRIVATE -O1 -Wl,--lto-O0)
  return()
endif()

# The command line as a library.
add_library(mo_test_cli STATIC ${cli_sources})
target_link_libraries(mo_test_cli PUBLIC mo_core sha2 zlib)
mo_tool_code(mo_test_cli mo_test_support)

# mo_layout_graphs: the graphs of tests/core/layout through the converter, for tests/numeric/test_layout.py.
add_executable(mo_layout_graphs tests/layout/main.cpp)
target_link_libraries(mo_layout_graphs PRIVATE mo_test_support mo_test_cli)
mo_tool_code(mo_layout_graphs mo_test_support)

# mo_verifier_cost: what the check of an IR costs, for scripts/bench.mjs. Its own code is optimised, too: of inline functions the linker takes one for all.
add_executable(mo_verifier_cost tests/verifier_cost/main.cpp)
target_link_libraries(mo_verifier_cost PRIVATE mo_test_cli pugixml)
mo_own_code(mo_verifier_cost)

# mo_with(TARGET FOLDER): `mo` with the extensions in FOLDER, as with MO_EXTENSIONS, without a second build.
function(mo_with target folder)
  mo_rows_of(${folder})
  add_executable(${target} ${sources} ${registries})
  target_include_directories(${target} PRIVATE ${folder})
  target_link_libraries(${target} PRIVATE mo_test_cli)
  mo_tool_code(${target} mo_test_support)
endfunction()
mo_with(mo_extended docs/examples/cpp)  # the guide's extensions in C++
mo_with(mo_toy tests/toy)               # a format of three operations
# Converts models with channels first to channels last, for tests/numeric/test_axes.py.
mo_with(mo_channels_last tests/numeric/channels_last)
