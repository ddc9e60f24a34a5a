// What OpenGL draws between ImGui's shapes: halos round what moves, all in one instanced call, and
// grids of shades. It adds light, never information.
#pragma once

#include <deque>
#include <vector>

#include "app/window/gl_program.h"
#include "core/figure/figure.h"

struct ImDrawCmd;
struct ImDrawList;

namespace ringscope {

struct Halo {
  Rect rect;
  double radius;  // of its corners
};

// The halos of a figure's moving shapes, in the figure's pixels: one for each that does not lie
// within another.
std::vector<Halo> halos_of(const Figure& figure);

// Lives with the OpenGL context. All geometry is in units of the draw lists.
class FlowLayer {
 public:
  FlowLayer();
  ~FlowLayer();
  FlowLayer(const FlowLayer&) = delete;
  FlowLayer& operator=(const FlowLayer&) = delete;

  // Before the first figure of a frame. `display`: units; `pixel_ratio`: device pixels in a unit.
  void begin_frame(Size display, double pixel_ratio);
  void add_halos(ImDrawList& list, std::vector<Halo> halos, Color color, double spread);
  void add_grid(ImDrawList& list, const Rect& rect, const Grid& grid);

 private:
  // One callback of a draw list, kept until the frame has been drawn.
  struct Job {
    FlowLayer* layer;
    std::vector<Halo> halos;
    Color color;
    double spread = 0;
    Rect rect;
    Color ground, ink;
    unsigned texture = 0;
  };

  static void draw_halos(const ImDrawList* list, const ImDrawCmd* command);
  static void draw_grid(const ImDrawList* list, const ImDrawCmd* command);
  void clip_to(const ImDrawCmd& command) const;

  GlProgram halo_program_, grid_program_;
  unsigned instances_ = 0, halo_array_ = 0, grid_array_ = 0;
  std::vector<unsigned> textures_;  // one a grid of a frame, used again in the next
  std::size_t textures_used_ = 0;
  std::deque<Job> jobs_;
  Size display_;
  double pixel_ratio_ = 1;
};

}  // namespace ringscope
