# cmake -DMAKER=PROGRAM -DFILE=PATH -P same_text.cmake: does the program write what stands in the file?
execute_process(COMMAND ${MAKER} OUTPUT_VARIABLE made RESULT_VARIABLE code)
file(READ ${FILE} kept)
if(NOT code EQUAL 0 OR NOT made STREQUAL kept)
  message(FATAL_ERROR "${FILE} is not what ${MAKER} writes (exit ${code}); write it anew")
endif()
