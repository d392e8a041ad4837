# Debian packages, by CPack: `make package`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME nestor)
set(CPACK_PACKAGE_VENDOR "Nestor")
set(CPACK_PACKAGE_CONTACT "The Nestor developers <nestor@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "branching-time model checker for recursive programs")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL program library development documentation)
if(NESTOR_PYTHON_MODULE)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR})
file(WRITE ${CMAKE_BINARY_DIR}/debian/shlibs "libnestor ${PROJECT_VERSION_MAJOR} libnestor${PROJECT_VERSION_MAJOR} (>= ${PROJECT_VERSION})\n")
file(WRITE ${CMAKE_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/debian/shlibs ${CMAKE_BINARY_DIR}/debian/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

function(nestor_deb component package section description)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${description}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${description}" PARENT_SCOPE)
endfunction()
set(about "Nestor decides formulas of CTL about recursive state machines, pushdown\nsystems, SMV models, Petri nets and C programs, with evidence and proofs.")
nestor_deb(program nestor science "${about}\n\nThis package has the program.")
nestor_deb(library libnestor${PROJECT_VERSION_MAJOR} libs "${about}\n\nThis package has the shared library.")
nestor_deb(development libnestor-dev libdevel "${about}\n\nThis package has what is needed to build other programs with the library.")
nestor_deb(documentation nestor-doc doc "${about}\n\nThis package has the documentation.")
nestor_deb(python python3-nestor python "${about}\n\nThis package has the module for Python 3.")
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libnestor${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), python3 (<< 3.12), python3-numpy, libnestor${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "graphviz, python3-networkx")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "clang-19, nestor-doc")
# Loaded when they are needed, so that no dependency follows from the binaries; without them less is decided.
foreach(key PROGRAM LIBRARY)
  set(CPACK_DEBIAN_${key}_PACKAGE_RECOMMENDS "libglpk40, libz3-4")
endforeach()

# The newest entry of CHANGELOG.md, as Debian wants it.
string(TIMESTAMP package_time "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${CMAKE_BINARY_DIR}/changelog.Debian "nestor (${PROJECT_VERSION}-1) unstable; urgency=medium

  * Version ${PROJECT_VERSION}: CHANGELOG.md tells what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${package_time}
")
execute_process(COMMAND gzip -9nc ${CMAKE_BINARY_DIR}/changelog.Debian
  OUTPUT_FILE ${CMAKE_BINARY_DIR}/changelog.Debian.gz)

# What every package has below /usr/share/doc: its licence, and what changed.
foreach(pair program:nestor library:libnestor${PROJECT_VERSION_MAJOR} development:libnestor-dev
    documentation:nestor-doc python:python3-nestor)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES ${CMAKE_SOURCE_DIR}/cmake/debian/copyright DESTINATION share/doc/${package}
    COMPONENT ${component})
  install(FILES ${CMAKE_BINARY_DIR}/changelog.Debian.gz DESTINATION share/doc/${package}
    COMPONENT ${component})
endforeach()
include(CPack)
