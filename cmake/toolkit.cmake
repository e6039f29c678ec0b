# A CUDA toolkit's folder as build systems expect it, so that -DCMAKE_CUDA_COMPILER=…/bin/nvcc works (docs/cmake.md). It lies
# where our libraries are, in the build folder as in an installation:
#
#     bin/nvcc            `warpwise nvcc`
#     include             our CUDA headers
#     lib64/              libraries to link with (ImportLibrary.cmake); static names stand for the shared libraries
#     nvvm/libdevice/     empty: CMake asks whether it is there
set(toolkit_libraries)
foreach(library cudart cuda nvrtc nvJitLink nvToolsExt)
  if(TARGET ${library})
    list(APPEND toolkit_libraries ${library})
  endif()
endforeach()

# ww_toolkit_files(FOLDER PROGRAM_FROM_BIN): what is the same text everywhere.
function(ww_toolkit_files folder program_from_here)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/nvcc.in ${folder}/bin/nvcc @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  file(WRITE ${folder}/lib64/libcudart_static.a "/* linker script */\nINPUT(-lcudart)\n")
  file(WRITE ${folder}/lib64/libcudadevrt.a "!<arch>\n")
endfunction()

# The build folder's.
set(here ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
ww_toolkit_files(${here} ../../bin/warpwise)
file(MAKE_DIRECTORY ${here}/nvvm/libdevice)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include/cuda ${here}/include SYMBOLIC)
set(import_libraries)
foreach(library ${toolkit_libraries})
  add_custom_command(OUTPUT ${here}/lib64/lib${library}.so
    COMMAND ${CMAKE_COMMAND} -DLIBRARY=$<TARGET_FILE:${library}> -DRUNTIME=${here}/$<TARGET_SONAME_FILE_NAME:${library}>
      -DOUTPUT=${here}/lib64/lib${library}.so -DCOMPILER=${CMAKE_CXX_COMPILER} -DNM=${CMAKE_NM} -P ${CMAKE_SOURCE_DIR}/cmake/ImportLibrary.cmake
    DEPENDS ${library} ${CMAKE_SOURCE_DIR}/cmake/ImportLibrary.cmake VERBATIM)
  list(APPEND import_libraries ${here}/lib64/lib${library}.so)
endforeach()
add_custom_target(toolkit ALL DEPENDS ${import_libraries})
add_dependencies(toolkit warpwise-program)

# The installed one. Names of the libraries that programs will load are known when it is installed, and not before.
set(private ${CMAKE_INSTALL_LIBDIR}/warpwise)
file(RELATIVE_PATH program_from_bin /${private}/bin /${CMAKE_INSTALL_BINDIR}/warpwise)
set(staged ${CMAKE_BINARY_DIR}/install/toolkit)
ww_toolkit_files(${staged} ${program_from_bin})
install(PROGRAMS ${staged}/bin/nvcc DESTINATION ${private}/bin)
install(FILES ${staged}/lib64/libcudart_static.a ${staged}/lib64/libcudadevrt.a DESTINATION ${private}/lib64)
install(DIRECTORY DESTINATION ${private}/nvvm/libdevice)
file(RELATIVE_PATH headers_from_here /${private} /${CMAKE_INSTALL_INCLUDEDIR}/warpwise/cuda)
install(CODE "file(CREATE_LINK ${headers_from_here} \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${private}/include\" SYMBOLIC)")
foreach(library ${toolkit_libraries})
  install(CODE "execute_process(COMMAND ${CMAKE_COMMAND} -DLIBRARY=$<TARGET_FILE:${library}>
    -DRUNTIME=\${CMAKE_INSTALL_PREFIX}/${private}/$<TARGET_SONAME_FILE_NAME:${library}>
    -DOUTPUT=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${private}/lib64/lib${library}.so
    -DCOMPILER=${CMAKE_CXX_COMPILER} -DNM=${CMAKE_NM} -P ${CMAKE_SOURCE_DIR}/cmake/ImportLibrary.cmake COMMAND_ERROR_IS_FATAL ANY)")
endforeach()
