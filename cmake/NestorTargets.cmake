# nestor_library(NAME SOURCES ... DEPENDS ...): the target of one folder below src/.
# Every library sees the headers below src/ and links only what it may depend on
# (docs/architecture.md); test/architecture checks the includes as well.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# The same objects make the program and the shared library, which shows what include/nestor declares.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
add_compile_definitions($<$<CONFIG:Debug>:NESTOR_DEBUG>)  # base/debug_assert.h

# What was compiled once, in this folder or another, is not compiled again where ccache is installed.
# It has to be told that a precompiled header may stand for the text it was made of.
find_program(NESTOR_CCACHE ccache)
if(NESTOR_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${NESTOR_CCACHE})
  if(NESTOR_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-fpch-preprocess)
  endif()
endif()

# The compiler collects its garbage once it has a gigabyte, not 128 megabytes: a tenth of its time.
if(NESTOR_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options(--param=ggc-min-heapsize=1000000)
endif()

# Warnings are errors to developers, with the compilers whose warnings they have seen.
function(nestor_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion)
  if(NESTOR_DEVELOPER AND "${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION}" MATCHES "^(GNU-12|Clang-14)\\.")
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Parsing library headers is most of the work of compiling a file, so each is parsed once: OWNER has
# the precompiled header, and the others, which must be compiled with the same flags, take it from there.
function(nestor_precompile target owner)
  if(NESTOR_PRECOMPILED AND target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/precompiled.h ${ARGN})
  elseif(NESTOR_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# Two dozen files of a target at a time take less than half the time, to compile and more so to lint; names
# in their unnamed namespaces must differ. The lots are of one size, or the last would have a few files only.
# Tests, whose helpers are often called alike, are compiled a dozen at a time.
function(nestor_compile_together target)
  if(NESTOR_UNITY)
    get_target_property(sources ${target} SOURCES)
    list(LENGTH sources count)
    math(EXPR lots "(${count} + 23) / 24")
    math(EXPR size "(${count} + ${lots} - 1) / ${lots}")
    if(target MATCHES "^unit_")
      set(size 12)
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  endif()
endfunction()

# What takes no share of a run worth mention is optimised as far as takes little time, a quarter less for a file.
# The precompiled header decides for all that take it, so there is one more.
function(nestor_compile target cold)
  nestor_warnings(${target})
  nestor_compile_together(${target})
  if(cold)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    nestor_precompile(${target} nestor_automata)  # the first of them
  else()
    nestor_precompile(${target} nestor_base)
  endif()
endfunction()

# nestor_library(NAME [COLD] SOURCES ... DEPENDS ...)
function(nestor_library name)
  cmake_parse_arguments(ARG "COLD" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY NESTOR_LIBRARIES ${name})
  nestor_compile(${name} "${ARG_COLD}")
endfunction()

# nestor_program(NAME [COLD] SOURCES ... DEPENDS ...): a program of tools/, test/ or bench/.
function(nestor_program name)
  cmake_parse_arguments(ARG "COLD" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS})
  # As the libraries are compiled, whose precompiled header it takes.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  nestor_compile(${name} "${ARG_COLD}")
endfunction()

# The name by which the loader finds the library in FILE: the one that is linked into programs.
function(nestor_loader_name result file)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${file} OUTPUT_VARIABLE headers ERROR_QUIET)
  string(REGEX MATCH "SONAME +([^ \n]+)" found "${headers}")
  if(NOT found)
    message(FATAL_ERROR "${file} has no name for the loader")
  endif()
  set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()
