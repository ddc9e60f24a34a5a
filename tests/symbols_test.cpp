#include "core/replay/symbols.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/replay/numbers.h"
#include "core/replay/replay.h"
#include "tests/serial_run.h"

using namespace ringscope;

namespace {

using Ranks = std::vector<std::int32_t>;

std::string text_as(ElementType type, double value) {
  return text_of(number_at(bytes_of_number(type, value), type), type);
}

}  // namespace

TEST_CASE("terms are letters up to 26 ranks, then names of ranks") {
  REQUIRE(term(0, 0, 1) == "a0");
  REQUIRE(term(1, 3, 4) == "b3");
  REQUIRE(term(25, 12, 26) == "z12");
  REQUIRE(term(0, 0, 27) == "g0.0");
  REQUIRE(term(27, 3, 1024) == "g27.3");
}

TEST_CASE("symbols fit the operator") {
  REQUIRE(symbol({}, 0, 4, Operator::sum, false) == "");
  REQUIRE(symbol(Ranks{1}, 0, 4, Operator::sum, false) == "b0");
  REQUIRE(symbol(Ranks{2, 1, 0}, 0, 4, Operator::sum, false) == "c0+b0+a0");
  REQUIRE(symbol(Ranks{1, 0}, 2, 4, Operator::prod, false) == "b2*a2");
  REQUIRE(symbol(Ranks{0, 1}, 0, 4, Operator::min, false) == "min(a0,b0)");
  REQUIRE(symbol(Ranks{3, 1, 0}, 0, 4, Operator::max, false) == "max(d0,b0,a0)");
  REQUIRE(symbol(Ranks{3}, 0, 4, Operator::max, false) == "d0");
  REQUIRE(symbol({}, 0, 4, Operator::max, false) == "");
  REQUIRE(symbol(Ranks{1, 0}, 0, 4, Operator::avg, false) == "b0+a0");
  REQUIRE(symbol(Ranks{0, 1, 2, 3}, 0, 4, Operator::avg, true) == "(a0+b0+c0+d0)/4");
  REQUIRE(symbol(Ranks{0}, 0, 1, Operator::avg, true) == "a0");
  REQUIRE(symbol(Ranks{26, 3}, 5, 30, Operator::sum, false) == "g26.5+g3.5");
}

TEST_CASE("integers are written whole, with their sign") {
  REQUIRE(text_as(ElementType::i64, 3303) == "3303");
  REQUIRE(text_as(ElementType::i8, -128) == "-128");
  REQUIRE(text_as(ElementType::u8, 255) == "255");
  REQUIRE(text_as(ElementType::i32, -2147483648.0) == "-2147483648");
  REQUIRE(text_of({true, std::numeric_limits<std::int64_t>::min(), 0}, ElementType::i64) ==
          "-9223372036854775808");
}

TEST_CASE("floating numbers are the shortest text that reads back as the same of their type") {
  const ElementType type =
      GENERATE(ElementType::f16, ElementType::bf16, ElementType::f32, ElementType::f64);
  REQUIRE(text_as(type, 0) == "0");
  REQUIRE(text_as(type, -0.0) == "-0");
  REQUIRE(text_as(type, 1) == "1");
  REQUIRE(text_as(type, -0.5) == "-0.5");
  REQUIRE(text_as(type, std::numeric_limits<double>::infinity()) == "inf");
  REQUIRE(text_as(type, -std::numeric_limits<double>::infinity()) == "-inf");
  REQUIRE(text_as(type, std::nan("")) == "nan");
  REQUIRE(text_as(type, 0.1) == (type == ElementType::bf16 ? "0.0996" : "0.1"));
}

TEST_CASE("numbers of people's size have no exponent, others do") {
  REQUIRE(text_as(ElementType::f32, 3303) == "3303");
  REQUIRE(text_as(ElementType::f32, 7000000) == "7000000");
  REQUIRE(text_as(ElementType::f32, 1e20) == "1e+20");
  REQUIRE(text_as(ElementType::f64, 1e-20) == "1e-20");
  REQUIRE(text_as(ElementType::f32, 277.75) == "277.75");
  REQUIRE(text_as(ElementType::f64, 1.0 / 3) == "0.3333333333333333");
  REQUIRE(text_as(ElementType::f32, 1.0 / 3) == "0.33333334");
  REQUIRE(text_as(ElementType::f16, 65504) == "65504");
  REQUIRE(text_as(ElementType::f16, 4044) == "4044");
  // Beyond its type: a mean's sum on its way.
  REQUIRE(text_of({false, 0, 90000}, ElementType::f16) == "90000");
}

TEST_CASE("every f16 and bf16 reads back from its text") {
  for (std::uint32_t bits = 0; bits < 0x10000; bits += 7) {
    const auto low = static_cast<std::uint16_t>(bits);
    const auto half = static_cast<double>(std::bit_cast<f16>(low));
    if (std::isfinite(half))
      REQUIRE(static_cast<f16>(std::stod(text_of({false, 0, half}, ElementType::f16))) ==
              static_cast<f16>(half));
    const auto brain = static_cast<double>(std::bit_cast<float>(std::uint32_t{low} << 16));
    if (!std::isfinite(brain)) continue;
    const double read = std::stod(text_of({false, 0, brain}, ElementType::bf16));
    // Half a step of bf16 around it reads back as it.
    REQUIRE(std::abs(read - brain) <= std::max(std::abs(brain) / 256, std::ldexp(1.0, -134)));
  }
}
