# Writes files into a C source, as bytes: the specs that need no outside file, as a table of names and texts (or the
# table that HEADER, TYPE, LIST and COUNT name), or with SYMBOL one file as one text.
#   cmake -D OUTPUT=FILE -D "INPUTS=a.yaml;b.yaml" -P embed.cmake
#   cmake -D OUTPUT=FILE -D "INPUTS=a.js;b.css" -D HEADER=serve.h -D TYPE=vg_asset -D LIST=vg_assets
#         -D COUNT=vg_asset_count -P embed.cmake
#   cmake -D OUTPUT=FILE -D INPUTS=report.css -D SYMBOL=vg_report_css -P embed.cmake
function(bytes_of input result)
  file(READ ${input} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  set(${result} "{${bytes}'\\0'}" PARENT_SCOPE)
endfunction()

if(SYMBOL)
  bytes_of(${INPUTS} bytes)
  file(WRITE ${OUTPUT} "/* Made by compiler/command/embed.cmake. */\nextern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = ${bytes};\n")
  return()
endif()
if(NOT HEADER)
  set(HEADER embedded.h)
  set(TYPE vg_spec_text)
  set(LIST vg_embedded_specs)
  set(COUNT vg_embedded_spec_count)
endif()

set(text "/* Made by compiler/command/embed.cmake. */\n#include \"${HEADER}\"\n\n")
set(rows "")
foreach(input IN LISTS INPUTS)
  get_filename_component(name ${input} NAME)
  string(MAKE_C_IDENTIFIER ${name} symbol)
  bytes_of(${input} bytes)
  string(APPEND text "static const char ${symbol}[] = ${bytes};\n")
  string(APPEND rows "    {\"${name}\", ${symbol}, sizeof ${symbol} - 1},\n")
endforeach()
string(APPEND text "\nconst struct ${TYPE} ${LIST}[] = {\n${rows}};\n")
string(APPEND text "const size_t ${COUNT} = sizeof ${LIST} / sizeof *${LIST};\n")
file(WRITE ${OUTPUT} "${text}")
