# find_package(trfboost) gives two targets: trfboost::trfboost, the shared library, and
# trfboost::static. Paths are taken from where this file is, so that the installation can be moved.
get_filename_component(_trfboost_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET trfboost::trfboost)
  add_library(trfboost::trfboost SHARED IMPORTED)
  set_target_properties(trfboost::trfboost PROPERTIES
    IMPORTED_LOCATION "${_trfboost_prefix}/lib/libtrfboost.so.@ABI_VERSION@"
    IMPORTED_SONAME "libtrfboost.so.@ABI_VERSION@"
    INTERFACE_INCLUDE_DIRECTORIES "${_trfboost_prefix}/include")

  add_library(trfboost::static STATIC IMPORTED)
  set_target_properties(trfboost::static PROPERTIES
    IMPORTED_LOCATION "${_trfboost_prefix}/lib/libtrfboost.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_trfboost_prefix}/include"
    INTERFACE_LINK_LIBRARIES "@NATIVE_LIBRARIES@")
endif()

unset(_trfboost_prefix)
