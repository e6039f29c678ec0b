# The Debian package (`make deb`): its control fields, and the files that Debian's policy asks for.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME warpwise)
set(WARPWISE_CONTACT "The Warpwise authors <warpwise@users.noreply.github.com>" CACHE STRING "The maintainer named in packages")
set(CPACK_PACKAGE_CONTACT ${WARPWISE_CONTACT})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Warpwise is a virtual GPU. It compiles the PTX of unmodified CUDA C++ to vector
code for the processor, finds races and wrong memory accesses, and models how
fast a kernel would be on GPUs that are not there.")
# The libraries we link are found by dpkg-shlibdeps; the compiler is started as a program.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
# binutils: addr2line and objdump find the lines of host code in findings.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, libstdc++-12-dev, binutils")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "lld-19, bubblewrap")

set(debian ${CMAKE_SOURCE_DIR}/packaging/debian)
set(private_libraries_dir /usr/${private_libraries})
configure_file(${debian}/prerm ${CMAKE_BINARY_DIR}/install/prerm @ONLY)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${debian}/postinst;${CMAKE_BINARY_DIR}/install/prerm")

install(FILES ${debian}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpwise)
# Of a component of its own, as the changelog is: the tarball does without.
install(FILES ${debian}/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME warpwise COMPONENT debian)
# The date is that of the last commit: the same source makes the same package.
execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} log -1 --format=%cD OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT date)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
configure_file(${debian}/changelog.in ${CMAKE_BINARY_DIR}/install/changelog @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/docs/man/warpwise.1 ${CMAKE_BINARY_DIR}/install/warpwise.1 COPYONLY)
foreach(file changelog warpwise.1)
  execute_process(COMMAND gzip -9nf ${CMAKE_BINARY_DIR}/install/${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/install/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpwise COMPONENT debian)
install(FILES ${CMAKE_BINARY_DIR}/install/warpwise.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
include(CPack)
