# Configures with -DSTOWAGE_MLIR=OFF and looks whether it says what is missing, leaves out the reader of MLIR alone, and needs no MLIR.
#   cmake -DSOURCE=… -DFOLDER=… -P without_mlir.cmake
file(REMOVE_RECURSE ${FOLDER})
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER} -G Ninja -DSTOWAGE_MLIR=OFF -DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON -DSTOWAGE_GUI=OFF -DSTOWAGE_TESTS=OFF -DSTOWAGE_BENCHMARKS=OFF
  OUTPUT_VARIABLE said ERROR_VARIABLE wrong RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "it does not configure: ${wrong}")
endif()
if(NOT said MATCHES "Without MLIR .STOWAGE_MLIR=OFF.: modules of upstream dialects are not read")
  message(FATAL_ERROR "it does not say that MLIR is missing: ${said}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FOLDER} --target help OUTPUT_VARIABLE targets)
if(targets MATCHES "stowage-mlir-reader:")
  message(FATAL_ERROR "it still builds the reader of MLIR")
endif()
foreach(part stowage-cli stowage-mlir stowage-hivm)
  if(NOT targets MATCHES "${part}:")
    message(FATAL_ERROR "it leaves out ${part} as well")
  endif()
endforeach()
file(REMOVE_RECURSE ${FOLDER})
