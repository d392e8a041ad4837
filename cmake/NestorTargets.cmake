# nestor_library(NAME SOURCES ... DEPENDS ...): the target of one folder below src/.
# Every library sees the headers below src/ and links only what it may depend on
# (docs/architecture.md); test/architecture checks the includes as well.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

function(nestor_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion)
  if(NESTOR_DEVELOPER)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Parsing library headers is most of the work of compiling a file. Not for the tests: GCC 12 gives false warnings about
# std::string there once its header is precompiled.
function(nestor_precompile target)
  if(NESTOR_PRECOMPILED)
    target_precompile_headers(${target} PRIVATE <algorithm> <fmt/format.h> <functional> <map> <memory>
      <optional> <set> <span> <string> <unordered_map> <vector> ${ARGN})
  endif()
endfunction()

function(nestor_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
  nestor_warnings(${name})
  nestor_precompile(${name})
endfunction()
