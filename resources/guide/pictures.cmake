# The pictures of the guide: the window as it is built here, with the samples. They are made anew when the program changes, so none of
# them can go stale.
set(stowage_guide_pictures ${CMAKE_BINARY_DIR}/share/stowage-guide)
set(stowage_guide_files)
# stowage_guide_picture(NAME SAMPLE OPTION…): NAME.png of the sample; options as of stowage-screenshot.
function(stowage_guide_picture name sample)
  set(file ${stowage_guide_pictures}/${name}.png)
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -E env QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8 $<TARGET_FILE:stowage-screenshot> --theme light --size 1280x800
      ${ARGN} ${file} ${CMAKE_SOURCE_DIR}/resources/samples/${sample}
    DEPENDS stowage-screenshot stowage-worker ${CMAKE_SOURCE_DIR}/resources/samples/${sample}
    COMMENT "Picture of the guide: ${name}" VERBATIM)
  set(stowage_guide_files ${stowage_guide_files} ${file} PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${stowage_guide_pictures})
stowage_guide_picture(failing resnet18.json --size 1280x1000 --state capacity:92160)
stowage_guide_picture(peak resnet18.json --state top)
stowage_guide_picture(compare mobilenet_v1_025.json --view compare)
stowage_guide_picture(two-memories microcontroller_two_memories.json)
stowage_guide_picture(pipes flash_attention_vector.mlir --view pipes)
stowage_guide_picture(loops refine_loop.json --view loops --state press:planUnrolled)
stowage_guide_picture(fold mlp_packed_weights.json --view fold)
stowage_guide_picture(pipeline mobilenet_v1_025.json --size 1280x1040 --view pipeline --state devices:camera-4)
stowage_guide_picture(tables resnet18.json --view tables)
# The README shows this one from the repository, as a forge builds nothing. tst_readme compares the committed copy with the picture that is
# made here. Where they differ: cp build/share/stowage-guide/window-dark.png resources/guide/
stowage_guide_picture(window-dark transformer_block.json --theme dark --size 1600x1000)
add_custom_target(stowage-guide-pictures ALL DEPENDS ${stowage_guide_files})
add_dependencies(stowage-programs stowage-guide-pictures) # F1 shows them
install(DIRECTORY ${stowage_guide_pictures}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/stowage/guide COMPONENT stowage
  FILES_MATCHING PATTERN "*.png")
