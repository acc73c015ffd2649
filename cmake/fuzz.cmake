# One libFuzzer program for each tests/fuzz/NAME.cpp: fuzz_NAME.
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/*.cpp)
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM name)
  add_executable(fuzz_${name} ${source})
  target_link_libraries(fuzz_${name} PRIVATE mo_core)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  mo_own_code(fuzz_${name})
endforeach()
