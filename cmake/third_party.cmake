# The libraries of third_party/: protobuf-lite, pugixml, sha2, zlib, QuickJS, and host-include/ for the header-only nlohmann-json.
set(MO_THIRD_PARTY ${CMAKE_SOURCE_DIR}/third_party)
execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/fetch-third-party.sh COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS scripts/fetch-third-party.sh scripts/dump-onnx-schemas.py)

add_library(third_party_options INTERFACE)
target_compile_options(third_party_options INTERFACE -w)

# SHA-256 of the native binary. Of its two headers one is configure's, the other is for shared libraries.
if(NOT EMSCRIPTEN)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/libmd)
  file(TOUCH ${CMAKE_BINARY_DIR}/libmd/config.h)
  add_library(sha2 STATIC ${MO_THIRD_PARTY}/libmd/src/sha2.c)
  target_include_directories(sha2 SYSTEM PUBLIC ${MO_THIRD_PARTY}/libmd/include PRIVATE ${CMAKE_BINARY_DIR}/libmd)
  target_compile_options(sha2 PRIVATE -O2)
  target_link_libraries(sha2 PRIVATE third_party_options)

  # The archives of the native binary: what reads them of zlib, and of minizip, which is part of its sources.
  set(zlib_sources adler32 crc32 inffast inflate inftrees zutil contrib/minizip/ioapi contrib/minizip/unzip)
  list(TRANSFORM zlib_sources REPLACE "(.+)" "${MO_THIRD_PARTY}/zlib/\\1.c")
  add_library(zlib STATIC ${zlib_sources})
  target_include_directories(zlib SYSTEM PUBLIC ${MO_THIRD_PARTY}/zlib ${MO_THIRD_PARTY}/zlib/contrib/minizip)
  target_compile_definitions(zlib PRIVATE NOUNCRYPT UNZ_BUFSIZE=65536)
  target_compile_options(zlib PRIVATE -O2)
  target_link_libraries(zlib PRIVATE third_party_options)

  # Hosts in JavaScript have an engine. quickjs-libc.c is left out: it would give scripts files and processes.
  set(quickjs_sources dtoa libregexp libunicode quickjs)
  list(TRANSFORM quickjs_sources REPLACE "(.+)" "${MO_THIRD_PARTY}/quickjs/\\1.c")
  add_library(quickjs STATIC ${quickjs_sources})
  target_include_directories(quickjs SYSTEM PUBLIC ${MO_THIRD_PARTY}/quickjs)
  target_compile_definitions(quickjs PRIVATE _GNU_SOURCE)
  target_compile_options(quickjs PRIVATE -std=gnu11 -Os)  # two thirds of the size under -O2
  find_package(Threads REQUIRED)
  target_link_libraries(quickjs PUBLIC m Threads::Threads PRIVATE third_party_options)
endif()

# What the lite classes of protoc need: the operators and variables of PaddlePaddle's programs. The list of sources is the only part of
# protobuf's CMake files that is used.
set(protobuf_SOURCE_DIR ${MO_THIRD_PARTY}/protobuf)
file(STRINGS ${protobuf_SOURCE_DIR}/cmake/libprotobuf-lite.cmake protobuf_lite_sources REGEX "/src/.*\\.cc$")
list(TRANSFORM protobuf_lite_sources REPLACE " *\\\${protobuf_SOURCE_DIR}" "${protobuf_SOURCE_DIR}")
add_library(protobuf_lite STATIC ${protobuf_lite_sources})
target_include_directories(protobuf_lite SYSTEM PUBLIC ${protobuf_SOURCE_DIR}/src)
target_compile_options(protobuf_lite PRIVATE $<IF:$<BOOL:${EMSCRIPTEN}>,-Oz,-Os>)
target_link_libraries(protobuf_lite PRIVATE third_party_options)
# Most of the time of compiling a file is spent on the same headers. What one file leaves defined is removed before the next.
set_target_properties(protobuf_lite PROPERTIES UNITY_BUILD ${MO_UNITY} UNITY_BUILD_BATCH_SIZE 11
  UNITY_BUILD_CODE_AFTER_INCLUDE "#undef LL\n#ifdef PROTOBUF_VERSION\n#include <google/protobuf/port_undef.inc>\n#endif")
if(WIN32)
  set_target_properties(protobuf_lite PROPERTIES UNITY_BUILD OFF)  # some of them include windows.h
endif()
if(NOT EMSCRIPTEN)
  target_compile_definitions(protobuf_lite PRIVATE HAVE_PTHREAD)
  target_link_libraries(protobuf_lite PUBLIC Threads::Threads)
endif()

# The mapping of custom layers is XML; tests read IR with it. What XPath needs is not linked, as nothing calls it.
add_library(pugixml STATIC ${MO_THIRD_PARTY}/pugixml/src/pugixml.cpp)
target_include_directories(pugixml SYSTEM PUBLIC ${MO_THIRD_PARTY}/pugixml/src)
target_compile_options(pugixml PRIVATE $<IF:$<BOOL:${EMSCRIPTEN}>,-Oz,-Os>)
target_link_libraries(pugixml PRIVATE third_party_options)

# Never -I/usr/include itself: under Emscripten that would bring the host's C library headers.
find_path(nlohmann_folder nlohmann/json.hpp REQUIRED NO_CMAKE_FIND_ROOT_PATH PATHS /usr/include)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/host-include)
file(CREATE_LINK ${nlohmann_folder}/nlohmann ${CMAKE_BINARY_DIR}/host-include/nlohmann SYMBOLIC)
add_library(nlohmann_json INTERFACE)
target_include_directories(nlohmann_json SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/host-include)

# onnx_messages.h: the messages of third_party/onnx/onnx.proto.
include(cmake/proto.cmake)
set(onnx_proto ${MO_THIRD_PARTY}/onnx/onnx.proto)
mo_proto_schema(onnx ${onnx_proto} mo::onnx::pb)
set(onnx_generated ${CMAKE_BINARY_DIR}/generated/onnx)
file(MAKE_DIRECTORY ${onnx_generated})
# onnx_schemas.inc: ONNX's operators, and its own definitions of those without a row in operators.def.
set(operator_rows ${CMAKE_SOURCE_DIR}/scripts/operator-rows.h ${CMAKE_SOURCE_DIR}/core/front/onnx/extract/operators.def)
add_custom_command(OUTPUT ${onnx_generated}/operator_rows.txt
  COMMAND ${CMAKE_CXX_COMPILER} -E -P -x c++ -I${CMAKE_SOURCE_DIR} -o ${onnx_generated}/operator_rows.txt
    ${CMAKE_SOURCE_DIR}/scripts/operator-rows.h
  DEPENDS ${operator_rows} VERBATIM)
set(onnx_schemas ${CMAKE_SOURCE_DIR}/scripts/generate-onnx-schemas.py ${MO_THIRD_PARTY}/onnx/schemas.json
  ${onnx_generated}/operator_rows.txt)
add_custom_command(OUTPUT ${onnx_generated}/onnx_schemas.inc
  COMMAND ${PYTHON3} ${onnx_schemas} ${onnx_generated}/onnx_schemas.inc
  DEPENDS ${onnx_schemas} ${protobuf_wire} VERBATIM)
add_library(onnx_tables INTERFACE ${onnx_generated}/onnx_schemas.inc ${onnx_messages})
target_include_directories(onnx_tables SYSTEM INTERFACE ${onnx_generated})
