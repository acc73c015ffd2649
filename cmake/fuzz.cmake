# One libFuzzer program for each tests/fuzz/NAME.cpp: fuzz_NAME.
mo_proto_schema(kinds ${CMAKE_SOURCE_DIR}/tests/core/base/proto/kinds.proto mo::test::pb)
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/*.cpp)
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM name)
  add_executable(fuzz_${name} ${source} ${kinds_messages})
  target_include_directories(fuzz_${name} SYSTEM PRIVATE ${CMAKE_BINARY_DIR}/generated/kinds)
  target_link_libraries(fuzz_${name} PRIVATE mo_core)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  mo_own_code(fuzz_${name})
endforeach()
# Archives are read by the command line, which has no library here.
file(GLOB archive_sources CONFIGURE_DEPENDS core/cli/archive/*.cpp)
target_sources(fuzz_archive PRIVATE ${archive_sources} core/cli/disk_file.cpp core/cli/system/files.cpp
  core/cli/system/files_linux.cpp core/cli/system/leftovers_linux.cpp)
target_link_libraries(fuzz_archive PRIVATE zlib)
