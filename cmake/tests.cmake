# mo_tests: every test of tests/core in one program, run at the root of the sources. Under Emscripten it runs in Node.
find_path(googletest_folder googletest/src/gtest-all.cc REQUIRED NO_CMAKE_FIND_ROOT_PATH PATHS /usr/src/googletest)
set(googletest ${googletest_folder}/googletest)
add_library(gtest_main STATIC ${googletest}/src/gtest-all.cc ${googletest}/src/gtest_main.cc)
target_include_directories(gtest_main SYSTEM PUBLIC ${googletest}/include PRIVATE ${googletest})
target_link_libraries(gtest_main PRIVATE third_party_options)
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

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS tests/core/*.cpp)
add_executable(mo_tests ${test_sources} ${caffe_messages} ${kinds_messages} ${encoded})
target_include_directories(mo_tests SYSTEM PRIVATE ${CMAKE_BINARY_DIR}/generated/caffe ${CMAKE_BINARY_DIR}/generated/kinds)
target_link_libraries(mo_tests PRIVATE mo_core gtest_main)
target_compile_definitions(mo_tests PRIVATE MO_SOURCE_DIR="${CMAKE_SOURCE_DIR}" MO_GENERATED_DIR="${CMAKE_BINARY_DIR}/generated")
mo_own_code(mo_tests)
mo_runs_in_node(mo_tests)
add_test(NAME mo_tests COMMAND mo_tests WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})

# mo_layout_graphs: the graphs of tests/core/layout through the converter, for tests/numeric/test_layout.py.
if(NOT EMSCRIPTEN)
  file(GLOB layout_graph_sources CONFIGURE_DEPENDS tests/core/layout/*_graphs.cpp)
  add_executable(mo_layout_graphs tests/layout/main.cpp core/cli/disk_files.cpp core/cli/write_ir_pair.cpp
    ${layout_graph_sources})
  target_link_libraries(mo_layout_graphs PRIVATE mo_core)
  mo_own_code(mo_layout_graphs)
endif()

# mo_with(TARGET FOLDER): `mo` with the extensions in FOLDER, as with MO_EXTENSIONS, without a second build.
list(TRANSFORM mo_registries PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE extended_registries)
function(mo_with target folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(sources AND NOT EMSCRIPTEN)
    add_executable(${target} ${cli_sources} ${sources} ${extended_registries})
    target_include_directories(${target} PRIVATE ${folder})
    target_link_libraries(${target} PRIVATE mo_core)
    mo_own_code(${target})
  endif()
endfunction()
mo_with(mo_extended docs/examples/cpp)  # the guide's extensions in C++
mo_with(mo_toy tests/toy)               # a format of three operations
# Converts models with channels first to channels last, for tests/numeric/test_axes.py.
mo_with(mo_channels_last tests/numeric/channels_last)
