# Configures with another folder for libraries, and looks whether this is refused with the remedy, and not kept: the next configuration of
# the same folder, without it, goes past this place. It stops before the search for packages (-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON).
#   cmake -DSOURCE=… -DFOLDER=… -P other_libdir.cmake
file(REMOVE_RECURSE ${FOLDER})
set(configure ${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER} -G Ninja -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON)
execute_process(COMMAND ${configure} -DCMAKE_INSTALL_LIBDIR=lib/x86_64-linux-gnu ERROR_VARIABLE wrong OUTPUT_QUIET RESULT_VARIABLE status)
string(REGEX REPLACE "[ \n]+" " " wrong "${wrong}") # it is broken into lines
if(status EQUAL 0 OR NOT wrong MATCHES "'lib/x86_64-linux-gnu'.*-DCMAKE_INSTALL_LIBDIR=lib;")
  message(FATAL_ERROR "another folder for libraries is not refused: ${wrong}")
endif()
foreach(way "-DCMAKE_INSTALL_PREFIX=/usr/local" "-DCMAKE_INSTALL_PREFIX=/usr" "-DCMAKE_INSTALL_LIBDIR=lib")
  execute_process(COMMAND ${configure} ${way} ERROR_VARIABLE wrong OUTPUT_QUIET)
  if(wrong MATCHES "CMAKE_INSTALL_LIBDIR" OR NOT wrong MATCHES "fmt")
    message(FATAL_ERROR "${way} is refused, too: ${wrong}")
  endif()
endforeach()
file(REMOVE_RECURSE ${FOLDER})
