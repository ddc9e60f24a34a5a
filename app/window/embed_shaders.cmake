# Writes OUT, a C++ file that holds every shader in FOLDER:
#   cmake -D FOLDER=shaders -D OUT=shaders_generated.cpp -P embed_shaders.cmake
file(GLOB SHADERS ${FOLDER}/*.vert ${FOLDER}/*.frag)
set(code "// Made by embed_shaders.cmake from shaders.\n#include \"app/window/gl_program.h\"\n\n")
string(APPEND code "namespace ringscope {\n\nconst EmbeddedShader embedded_shaders[] = {\n")
list(LENGTH SHADERS count)
foreach(file ${SHADERS})
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND code "    {\"${name}\", R\"~~~(${text})~~~\"},\n")
endforeach()
string(APPEND code "};\nconst std::size_t embedded_shader_count = ${count};\n\n}  // namespace ringscope\n")
file(WRITE ${OUT} "${code}")
