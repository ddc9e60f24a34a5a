// NumPy's .npy files, format versions 1 to 3 (numpy.lib.format): '\x93NUMPY', major, minor, the
// length of the header (2 bytes; from version 2 on 4), the header, which is a Python dictionary
//   {'descr': '<f4', 'fortran_order': False, 'shape': (4, 16), }
// and then the elements.
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/data/inputs.h"
#include "core/error.h"

namespace ringscope {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are read as they lie");

// What is wrong with the file, without its name.
struct Fault {
  std::string id;
  std::vector<std::pair<std::string, std::string>> arguments;
};

struct Header {
  std::string type;  // '<f4'; '[' where it is a record of fields
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

// Reads the dictionary; whatever is not as it must be is one fault: a broken header.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  Header parse() {
    Header header;
    bool has_type = false, has_order = false, has_shape = false;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !has_type) {
        has_type = true;
        // A list of fields goes on where only a bracket can tell: nothing behind it is needed.
        if (peek() == '[') return {.type = "[", .fortran_order = false, .shape = {}};
        header.type = quoted();
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        header.fortran_order = boolean();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        header.shape = tuple();
      } else {
        fail();
      }
      if (!take(',') && peek() != '}') fail();
    }
    if (!has_type || !has_order || !has_shape || peek() != '\0') fail();
    return header;
  }

 private:
  [[noreturn]] static void fail() { throw Fault{"error.npy.header", {}}; }

  // The next character that is no space; 0 at the end.
  char peek() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) fail();
  }
  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail();
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail();
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }
  bool boolean() {
    peek();
    for (const std::string_view word : {std::string_view("True"), std::string_view("False")})
      if (rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return word == "True";
      }
    fail();
  }
  std::uint64_t integer() {
    peek();
    std::uint64_t value = 0;
    const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (fault != std::errc{}) fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> values;
    expect('(');
    while (!take(')')) {
      values.push_back(integer());
      if (!take(',') && (peek() != ')' || values.size() == 1)) fail();  // '(3)' is no tuple
    }
    return values;
  }

  std::string_view rest_;
};

ElementType element_type_of(const std::string& type, bool as_bf16) {
  struct Row {
    std::string_view numpy;
    ElementType type;
  };
  constexpr std::array<Row, 7> rows{{{"f2", ElementType::f16},
                                     {"f4", ElementType::f32},
                                     {"f8", ElementType::f64},
                                     {"i1", ElementType::i8},
                                     {"u1", ElementType::u8},
                                     {"i4", ElementType::i32},
                                     {"i8", ElementType::i64}}};
  const std::string_view name =
      std::string_view(type).substr(std::min<std::size_t>(1, type.size()));
  const char order = type.empty() ? ' ' : type.front();
  if (order == '[' || name.starts_with('O') || name.starts_with('V'))
    throw Fault{"error.npy.object", {}};
  if (order == '>') throw Fault{"error.npy.big_endian", {{"type", type}}};
  if (order == '<' || (order == '|' && name.ends_with('1'))) {
    for (const Row& row : rows)
      if (row.numpy == name) return row.type;
    if (name == "u2") {
      if (as_bf16) return ElementType::bf16;
      throw Fault{"error.npy.u2", {}};
    }
  }
  throw Fault{"error.npy.type", {{"type", type}}};
}

// Elements a rank and all bytes; a fault where they do not fit 63 bits.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (a != 0 && b > most / a) throw Fault{"error.npy.too_large", {}};
  return a * b;
}

class File {
 public:
  explicit File(const std::string& path) : stream_(path, std::ios::binary) {
    stream_.seekg(0, std::ios::end);
    const std::streamoff size = stream_ ? std::streamoff{stream_.tellg()} : -1;
    stream_.seekg(0);
    // A folder opens, but has no size that makes sense.
    if (!stream_ || size < 0 || size == std::numeric_limits<std::int64_t>::max())
      throw Fault{"error.npy.open", {}};
    left_ = static_cast<std::uint64_t>(size);
  }
  std::uint64_t left() const { return left_; }
  void read(void* to, std::uint64_t bytes, const char* fault) {
    if (bytes > left_) throw Fault{fault, {}};
    stream_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
    if (!stream_) throw Fault{"error.npy.open", {}};
    left_ -= bytes;
  }

 private:
  std::ifstream stream_;
  std::uint64_t left_ = 0;
};

Header read_header(File& file) {
  std::array<unsigned char, 8> start;
  file.read(start.data(), start.size(), "error.npy.foreign");
  if (std::memcmp(start.data(), "\x93NUMPY", 6) != 0) throw Fault{"error.npy.foreign", {}};
  const int version = start[6];
  if (version < 1 || version > 3 || start[7] != 0)
    throw Fault{"error.npy.version",
                {{"version", std::to_string(version) + '.' + std::to_string(start[7])}}};
  std::uint32_t length = 0;
  file.read(&length, version == 1 ? 2 : 4, "error.npy.header");
  if (length > file.left()) throw Fault{"error.npy.header", {}};
  std::string text(length, '\0');
  file.read(text.data(), length, "error.npy.header");
  return HeaderParser(text).parse();
}

NumpyArray read(const std::string& path, bool as_bf16) {
  File file(path);
  const Header header = read_header(file);
  NumpyArray array{};
  array.type = element_type_of(header.type, as_bf16);
  if (header.fortran_order) throw Fault{"error.npy.fortran", {}};
  if (header.shape.empty()) throw Fault{"error.npy.scalar", {}};
  if (header.shape[0] == 0) throw Fault{"error.npy.no_ranks", {}};
  if (header.shape[0] > std::numeric_limits<int>::max()) throw Fault{"error.npy.too_large", {}};
  array.ranks = static_cast<int>(header.shape[0]);
  array.count = 1;
  for (std::size_t i = 1; i < header.shape.size(); ++i)
    array.count = product(array.count, header.shape[i]);
  const std::uint64_t bytes = product(product(array.count, header.shape[0]), bytes_of(array.type));
  if (bytes != file.left())
    throw Fault{bytes > file.left() ? "error.npy.truncated" : "error.npy.longer",
                {{"wanted", std::to_string(bytes)}, {"found", std::to_string(file.left())}}};
  array.bytes.resize(bytes);
  file.read(array.bytes.data(), bytes, "error.npy.truncated");
  return array;
}

}  // namespace

NumpyArray read_numpy(const std::string& path, bool as_bf16) {
  try {
    return read(path, as_bf16);
  } catch (Fault& fault) {
    fault.arguments.insert(fault.arguments.begin(), {"file", path});
    throw Error({std::move(fault.id), std::move(fault.arguments)});
  }
}

}  // namespace ringscope
