// The card of a rank in views whose cards are of any size: what there is room for.
#pragma once

#include <string>

#include "core/figure/cells.h"

namespace ringscope {

enum class NodeForm : std::uint8_t {
  cells,   // in full: slots, sum, value
  rows,    // a row of slots a chunk, with what it holds beneath or beside it
  bars,    // a bar a chunk
  number,  // the rank's number, and how much it holds
};

struct NodeLook {
  NodeForm form = NodeForm::number;
  Size card;
  double cell_width = 0;  // of NodeForm::cells
  bool words = true;      // of NodeForm::rows: there is room for more than slots
};
// The fullest form for that many chunks on cards of at most this size.
NodeLook node_look(const Scene& scene, Size most, std::int32_t chunks);

struct Node {
  std::string id;  // 'rank3'; cells are 'rank3.chunk0' wherever they stand
  std::int32_t rank = 0;
  std::int32_t first_chunk = 0, chunks = 1;  // that are shown on it
  Rect card;
  std::string role = {};  // 'root': said instead of what it does
  bool faded = false;     // has nothing to do at the moment
};
// With all chunks.
Node node_of(const Scene& scene, std::int32_t rank, const Rect& card, std::string role = "");
void draw_node(Scene& scene, const Node& node, const NodeLook& look);

}  // namespace ringscope
