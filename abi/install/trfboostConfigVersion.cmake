# A version is compatible with the ones before it as long as the first two numbers are the same.
set(PACKAGE_VERSION "@VERSION@")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _trfboost_series "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _trfboost_wanted "${PACKAGE_FIND_VERSION}.0")

if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION OR NOT _trfboost_series STREQUAL _trfboost_wanted)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()

unset(_trfboost_series)
unset(_trfboost_wanted)
