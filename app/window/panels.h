// The parts of the window, one file each. A panel reads the session, paints, and asks for change
// only by running a command.
#pragma once

#include "app/window/ui.h"

namespace ringscope {

// What was run, on what, and whether it is verified; set-up, views, language, theme, help.
void title_panel(Pen& pen, const Rect& rect);
// The view's figure; while nothing is open, how to begin.
void stage_panel(Pen& pen, const Layout& layout);
// What a shape of a figure under the mouse says, and what a click there selects; in its pixels.
void point_at(Pen& pen, const Figure& figure, Point at);
void select_at(Pen& pen, const Figure& figure, Point at);
// What the mouse does on the stage: says what a shape means, selects, zooms and moves a timeline.
// `corner`: where the figure begins, in pixels.
void stage_hand(Pen& pen, const Figure& figure, const Hit& hit, Point corner);
// This round's arithmetic, as long as it needs to be: it scrolls.
void round_panel(Session& session, UiTools& tools, const Layout& layout);
// First, back, play, forward, last; the scrub bar; clock and speed.
void transport_panel(Pen& pen, const Layout& layout);
// The views that can show what is open, where the title line has no room for tabs.
void views_menu(Session& session, UiTools& tools, const Layout& layout);
// While presenting: how far it is.
void progress_line(Pen& pen, const Rect& rect);
// All of record's choices, and Run.
void set_up_panel(Session& session, UiTools& tools, const Layout& layout);
// What is to be written as files, and how it will look.
void export_panel(Session& session, UiTools& tools, const Layout& layout, Size window);
// The table of commands with their keys.
void help_panel(Session& session, UiTools& tools, const Layout& layout, Size window);
// A line that is shown for a while.
void toast_panel(Session& session, UiTools& tools, const Layout& layout);

}  // namespace ringscope
