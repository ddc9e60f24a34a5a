#include "core/export/font_subset.h"

#include "core/error.h"

#ifdef RINGSCOPE_CAIRO
#include <hb-subset.h>

#include <memory>
#endif

namespace ringscope {

#ifndef RINGSCOPE_CAIRO

std::string font_subset(const FontFile&, const std::set<char32_t>&) {
  throw Error({"error.picture.no_cairo", {}});
}

#else

namespace {

struct Destroy {
  void operator()(hb_blob_t* blob) const { hb_blob_destroy(blob); }
  void operator()(hb_face_t* face) const { hb_face_destroy(face); }
  void operator()(hb_subset_input_t* input) const { hb_subset_input_destroy(input); }
};
template <class Thing>
using Owned = std::unique_ptr<Thing, Destroy>;

}  // namespace

std::string font_subset(const FontFile& file, const std::set<char32_t>& characters) {
  const Owned<hb_blob_t> all(hb_blob_create_from_file(file.path.c_str()));
  const Owned<hb_face_t> face(hb_face_create(all.get(), static_cast<unsigned>(file.index)));
  const auto refuse = [&] { throw Error({"error.font.unreadable", {{"file", file.path}}}); };
  if (hb_face_get_glyph_count(face.get()) == 0) refuse();
  const Owned<hb_subset_input_t> wanted(hb_subset_input_create_or_fail());
  if (!wanted) throw std::bad_alloc();
  hb_subset_input_set_flags(wanted.get(),
                            HB_SUBSET_FLAGS_NO_HINTING | HB_SUBSET_FLAGS_DESUBROUTINIZE);
  hb_set_t* const dropped = hb_subset_input_set(wanted.get(), HB_SUBSET_SETS_DROP_TABLE_TAG);
  for (const hb_tag_t table : {HB_TAG('G', 'S', 'U', 'B'), HB_TAG('G', 'P', 'O', 'S')})
    hb_set_add(dropped, table);
  for (const char32_t character : characters)
    hb_set_add(hb_subset_input_unicode_set(wanted.get()), character);
  const Owned<hb_face_t> subset(hb_subset_or_fail(face.get(), wanted.get()));
  if (!subset) refuse();
  const Owned<hb_blob_t> bytes(hb_face_reference_blob(subset.get()));
  unsigned length = 0;
  const char* const data = hb_blob_get_data(bytes.get(), &length);
  return {data, length};
}

#endif

}  // namespace ringscope
