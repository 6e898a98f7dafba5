# Writes OUTPUT, a source that compiles the tests TESTS of FOLDER together. Each test has a namespace of its own, so that its classes and
# functions, main among them, may be called like those of another. What all of them include stands before, where it belongs to no namespace.
set(includes)
set(tests)
foreach(test ${TESTS})
  file(STRINGS ${FOLDER}/${test}.cpp lines REGEX "^#include [<\"]")
  list(FILTER lines EXCLUDE REGEX "\\.moc\"$")
  list(APPEND includes ${lines})
  string(APPEND tests "namespace ${test} {\n#include \"${FOLDER}/${test}.cpp\"\n}\n")
endforeach()
list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n" includes)
file(WRITE ${OUTPUT} "${includes}\n\n${tests}")
