# Writes OUT, a C++ file that holds every catalogue in FOLDER:
#   cmake -D FOLDER=assets/texts -D OUT=texts_generated.cpp -P embed_texts.cmake
file(GLOB TEXTS ${FOLDER}/*.toml)
set(code "// Made by embed_texts.cmake from assets/texts.\n#include \"core/language/embedded_texts.h\"\n\n")
string(APPEND code "namespace ringscope {\n\nusing namespace std::literals;\n\nconstinit const EmbeddedText embedded_texts[] = {\n")
list(LENGTH TEXTS count)
foreach(file ${TEXTS})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND code "    {\"${name}\"sv, R\"~~~(${text})~~~\"sv},\n")
endforeach()
string(APPEND code "};\nconst std::size_t embedded_text_count = ${count};\n\n}  // namespace ringscope\n")
file(WRITE ${OUT} "${code}")
