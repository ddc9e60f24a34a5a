// The LaTeX file beside a PDF, compiled where pdflatex and beamer are installed.
#include <catch2/catch.hpp>

#include "core/export/cairo_painter.h"
#include "tests/command_line.h"

using namespace ringscope;
namespace fs = std::filesystem;

namespace {

const std::string record = SOURCE_DIR "/tests/golden/ring-3.ring";

bool can_compile(const Folder& folder) {
  if (!has_cairo()) return false;
  // What beamer needs lies in packages of its own.
  const bool can =
      shell(folder, "command -v pdflatex && kpsewhich beamer.cls && kpsewhich pgfcore.sty")
          .status == 0;
  if (!can)
    WARN(
        "pdflatex or beamer is missing, so the slides are not tried: install "
        "texlive-latex-recommended and texlive-pictures");
  return can;
}

}  // namespace

TEST_CASE("the LaTeX file makes slides that step through the pages, in both languages") {
  const Folder folder("beamer");
  if (!can_compile(folder)) return;
  // What LaTeX reads as something else may stand in a file's name.
  const std::string name = "环形 100%_#1";
  const std::string language = GENERATE("en", "zh");
  fs::copy_file(record, folder.file(name + ".ring"));
  const Outcome exported =
      shell(folder, "$R export '" + name + ".ring' --format pdf --lang " + language);
  REQUIRE(exported.status == 0);
  CHECK(exported.out == "./" + name + ".pdf\n./" + name + "-beamer.tex\n");
  const std::string pages = text_of_file(folder.file(name + ".pdf"));
  // By another name, as pdflatex takes no such one on its line.
  fs::rename(folder.file(name + "-beamer.tex"), folder.file("slides.tex"));
  const Outcome compiled =
      shell(folder, "pdflatex -interaction=nonstopmode -halt-on-error slides </dev/null");
  INFO(compiled.out);
  CHECK(compiled.status == 0);
  CHECK(text_of_file(folder.file("slides.log")).find("(9 pages") != std::string::npos);
  CHECK(compiled.out.find("Overfull") == std::string::npos);
  CHECK((text_of_file(folder.file(name + ".pdf")) == pages));
}
