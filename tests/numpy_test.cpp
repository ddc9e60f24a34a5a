#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "core/data/inputs.h"
#include "core/error.h"

using namespace ringscope;

namespace {

// A file of these bytes for as long as the object lives.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = (std::filesystem::temp_directory_path() /
                       ("ringscope_numpy_test." + std::to_string(getpid()) + ".npy"))
                          .string();
};

std::string npy(const std::string& header, const std::string& elements, char major = 1,
                char minor = 0) {
  std::string file = std::string("\x93NUMPY") + major + minor;
  const auto length = static_cast<std::uint32_t>(header.size());
  file.append(reinterpret_cast<const char*>(&length), major == 1 ? 2 : 4);
  return file + header + elements;
}

std::string dictionary(const std::string& type, const std::string& shape,
                       const std::string& order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }   \n";
}

NumpyArray read_bytes(const std::string& bytes, bool as_bf16 = false) {
  const TemporaryFile file(bytes);
  return read_numpy(file.path(), as_bf16);
}

std::string fault(const std::string& bytes, bool as_bf16 = false) {
  try {
    read_bytes(bytes, as_bf16);
  } catch (const Error& error) {
    CHECK(error.message().arguments.at(0).first == "file");
    return error.message().id;
  }
  return "";
}

}  // namespace

TEST_CASE("an array of shape (ranks, ...) is read rank after rank") {
  const std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const std::string elements(reinterpret_cast<const char*>(numbers.data()), 48);
  for (const char major : {'\1', '\2', '\3'}) {
    const NumpyArray array = read_bytes(npy(dictionary("<f4", "(2, 3, 2)"), elements, major));
    CHECK(array.type == ElementType::f32);
    CHECK(array.ranks == 2);
    CHECK(array.count == 6);
    REQUIRE(array.bytes.size() == 48);
    CHECK(std::memcmp(array.bytes.data(), numbers.data(), 48) == 0);
  }
  const NumpyArray flat = read_bytes(npy(dictionary("<f4", "(12,)"), elements));
  CHECK(flat.ranks == 12);
  CHECK(flat.count == 1);
  const NumpyArray one = read_bytes(npy(dictionary("<f4", "(1, 12)"), elements));
  CHECK(one.ranks == 1);
  CHECK(one.count == 12);
  const NumpyArray empty = read_bytes(npy(dictionary("<f4", "(3, 0)"), ""));
  CHECK(empty.ranks == 3);
  CHECK(empty.count == 0);
}

TEST_CASE("every type of ours is read, bf16 only where asked for") {
  const auto type = [](const std::string& name, std::size_t bytes, bool as_bf16 = false) {
    return read_bytes(npy(dictionary(name, "(1, 2)"), std::string(2 * bytes, '\0')), as_bf16).type;
  };
  CHECK(type("<f2", 2) == ElementType::f16);
  CHECK(type("<f4", 4) == ElementType::f32);
  CHECK(type("<f8", 8) == ElementType::f64);
  CHECK(type("|i1", 1) == ElementType::i8);
  CHECK(type("|u1", 1) == ElementType::u8);
  CHECK(type("<i4", 4) == ElementType::i32);
  CHECK(type("<i8", 8) == ElementType::i64);
  CHECK(type("<u2", 2, true) == ElementType::bf16);
  CHECK(type("<f4", 4, true) == ElementType::f32);
}

TEST_CASE("what the header may look like otherwise: order of keys, quotes, spaces, no last comma") {
  CHECK(read_bytes(npy("{\"shape\":(2,2),\"fortran_order\":False,\"descr\":\"|u1\"}", "abcd"))
            .count == 2);
  CHECK(read_bytes(
            npy("{ 'shape' : ( 2 , 2 , ) , 'fortran_order' : False,\n 'descr' : '|u1' }", "abcd"))
            .count == 2);
}

TEST_CASE("whatever is wrong with a file is one fault") {
  const std::string good = dictionary("|u1", "(2, 2)");
  CHECK(fault("") == "error.npy.foreign");
  CHECK(fault("PNG") == "error.npy.foreign");
  CHECK(fault("a text of some length, but no array") == "error.npy.foreign");
  CHECK(fault(npy(good, "abcd", 4)) == "error.npy.version");
  CHECK(fault(npy(good, "abcd", 0)) == "error.npy.version");
  CHECK(fault(npy(good, "abcd", 1, 1)) == "error.npy.version");
  CHECK(fault(npy(good, "abc")) == "error.npy.truncated");
  CHECK(fault(npy(good, "abcde")) == "error.npy.longer");
  CHECK(fault(npy(dictionary("|u1", "(2, 2)", "True"), "abcd")) == "error.npy.fortran");
  CHECK(fault(npy(dictionary(">f4", "(2, 2)"), "abcd")) == "error.npy.big_endian");
  CHECK(fault(npy(dictionary("|O", "(2, 2)"), "abcd")) == "error.npy.object");
  CHECK(fault(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", "abcd")) ==
        "error.npy.object");
  CHECK(fault(npy(dictionary("<u2", "(2, 2)"), "abcdefgh")) == "error.npy.u2");
  for (const char* const type :
       {"<c8", "<i2", "<u4", "|b1", "<U4", "<M8[ns]", "|f4", "f4", "", "<"})
    CHECK(fault(npy(dictionary(type, "(2, 2)"), "abcd")) == "error.npy.type");
  CHECK(fault(npy(dictionary("|u1", "()"), "a")) == "error.npy.scalar");
  CHECK(fault(npy(dictionary("|u1", "(0, 3)"), "")) == "error.npy.no_ranks");
  CHECK(fault(npy(dictionary("|u1", "(3000000000, 1)"), "abc")) == "error.npy.too_large");
  CHECK(fault(npy(dictionary("<f8", "(2, 4294967296, 4294967296)"), "abc")) ==
        "error.npy.too_large");
  CHECK(fault(npy(dictionary("<f8", "(2, 1152921504606846976)"), "abc")) == "error.npy.too_large");
  CHECK(fault(npy(dictionary("<f8", "(2, 1000000000000)"), "abc")) == "error.npy.truncated");
}

TEST_CASE("a header that is not just the three keys of the format is damaged") {
  for (const char* const header :
       {"", "{", "{}", "{'descr': '|u1', 'fortran_order': False}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), 'x': 1}",
        "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (2, 2)}",
        "{'descr': '|u1', 'fortran_order': 0, 'shape': (2, 2)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (4)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (-2, 2)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 99999999999999999999)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': [2, 2]}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2 2)}",
        "{'descr': '|u1' 'fortran_order': False, 'shape': (2, 2)}",
        "{'descr': '|u1, 'fortran_order': False, 'shape': (2, 2)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2)} more"}) {
    CAPTURE(header);
    CHECK(fault(npy(header, "abcd")) == "error.npy.header");
  }
  std::string long_header = npy(dictionary("|u1", "(2, 2)"), "abcd");
  long_header[9] = '\x7f';
  CHECK(fault(long_header) == "error.npy.header");
}

TEST_CASE("a file that is not there, or is a folder, can't be read") {
  for (const std::string& path : {std::string("no/such/file.npy"), std::string(SOURCE_DIR)}) try {
      read_numpy(path);
      FAIL("read " + path);
    } catch (const Error& error) {
      CHECK(error.message().id == "error.npy.open");
      CHECK(error.message().arguments.at(0).second == path);
    }
}

TEST_CASE("a file cut off or with bytes changed anywhere is read or refused, never more") {
  const std::string good = npy(dictionary("<i4", "(2, 3)"), std::string(24, 'x'));
  for (std::size_t length = 0; length < good.size(); ++length)
    CHECK_FALSE(fault(good.substr(0, length)).empty());
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string changed = good;
    for (int flips = 1 + static_cast<int>(random() % 3); flips > 0; --flips)
      changed[random() % changed.size()] = static_cast<char>(random());
    const std::string id = fault(changed);
    CHECK((id.empty() || id.starts_with("error.npy.")));
  }
}
