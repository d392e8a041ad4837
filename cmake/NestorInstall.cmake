# The library as others link it: one shared and one static library of all folders' objects, with what
# CMake and pkg-config need to find them.

include(CMakePackageConfigHelpers)

get_property(library_folders GLOBAL PROPERTY NESTOR_LIBRARIES)
list(REMOVE_ITEM library_folders nestor_driver nestor_view)  # of the program alone
set(library_objects)
foreach(folder ${library_folders})
  list(APPEND library_objects $<TARGET_OBJECTS:${folder}>)
endforeach()
set(library_needs fmt::fmt pugixml::pugixml simdjson::simdjson TBB::tbb ZLIB::ZLIB ${NESTOR_NETTLE} ${CMAKE_DL_LIBS})
if(NESTOR_LLVM)
  llvm_map_components_to_libnames(llvm_needs irreader linker bitwriter core support)
  list(APPEND library_needs ${llvm_needs})
endif()

add_library(nestor_shared SHARED ${library_objects})
add_library(nestor_static STATIC ${library_objects})
foreach(library nestor_shared nestor_static)
  set_target_properties(${library} PROPERTIES OUTPUT_NAME nestor LINKER_LANGUAGE CXX)
  target_include_directories(${library} INTERFACE
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${library} INTERFACE cxx_std_20)
  target_link_libraries(${library} PRIVATE ${library_needs})
endforeach()
# Only what include/nestor declares is seen; LLVM's unused parts are left out as in the program.
set_target_properties(nestor_shared PROPERTIES EXPORT_NAME nestor
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/libnestor.map)
set_target_properties(nestor_static PROPERTIES EXPORT_NAME static)
target_link_options(nestor_shared PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/libnestor.map
  -Wl,--gc-sections -Wl,--no-undefined)
add_library(nestor::nestor ALIAS nestor_shared)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Nestor)
install(TARGETS nestor_shared EXPORT NestorTargets COMPONENT library
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS nestor_static EXPORT NestorStatic
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/nestor DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT development)
install(EXPORT NestorTargets NAMESPACE nestor:: DESTINATION ${config_folder} COMPONENT development)
install(EXPORT NestorStatic NAMESPACE nestor:: DESTINATION ${config_folder} COMPONENT development)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/NestorConfig.cmake.in
  ${CMAKE_BINARY_DIR}/NestorConfig.cmake INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/NestorConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/NestorConfig.cmake ${CMAKE_BINARY_DIR}/NestorConfigVersion.cmake
  DESTINATION ${config_folder} COMPONENT development)
file(RELATIVE_PATH prefix_from_here /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
configure_file(${CMAKE_SOURCE_DIR}/cmake/nestor.pc.in ${CMAKE_BINARY_DIR}/nestor.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/nestor.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)
