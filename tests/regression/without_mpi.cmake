# Configures without MPI in both ways (switched off, not installed) and looks whether it says so and leaves out stowage-stage alone.
#   cmake -DSOURCE=… -DFOLDER=… -P without_mpi.cmake
set(ways "-DSTOWAGE_MPI=OFF" "-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON")
foreach(way ${ways})
  file(REMOVE_RECURSE ${FOLDER})
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER} -G Ninja ${way} -DSTOWAGE_GUI=OFF -DSTOWAGE_TESTS=OFF -DSTOWAGE_BENCHMARKS=OFF
    OUTPUT_VARIABLE said ERROR_VARIABLE wrong RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${way} does not configure: ${wrong}")
  endif()
  if(NOT said MATCHES "pipelines run on threads only")
    message(FATAL_ERROR "${way} does not say that MPI is missing: ${said}")
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${FOLDER} --target help OUTPUT_VARIABLE targets)
  if(targets MATCHES "stowage-stage:")
    message(FATAL_ERROR "${way} still builds stowage-stage")
  endif()
  if(NOT targets MATCHES "stowage-cli:")
    message(FATAL_ERROR "${way} leaves out stowage-cli as well")
  endif()
endforeach()
file(REMOVE_RECURSE ${FOLDER})
