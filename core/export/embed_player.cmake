# Writes OUT, a C++ file that holds the page FILE:
#   cmake -D FILE=assets/player.html -D OUT=player_generated.cpp -P embed_player.cmake
file(READ ${FILE} page)
set(code "// Made by embed_player.cmake from assets/player.html.\n#include <string_view>\n\nnamespace ringscope {\n\n")
string(APPEND code "extern const std::string_view player_page;\nconst std::string_view player_page = R\"~~~(${page})~~~\";\n\n}  // namespace ringscope\n")
file(WRITE ${OUT} "${code}")
