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
mo_runs_in_node(mo_tests)
add_test(NAME mo_tests COMMAND mo_tests WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})

# mo_with(TARGET FOLDER): `mo` with what stands in FOLDER, as MO_EXTENSIONS makes it, without a second build.
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
