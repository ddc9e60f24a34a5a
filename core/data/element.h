// The element types and the reduction operators, by name. What an operator does to the bits is in
// operators.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>

namespace ringscope {

enum class ElementType : std::uint8_t { f16, bf16, f32, f64, i8, u8, i32, i64 };
enum class Operator : std::uint8_t { sum, avg, prod, min, max };

// IEEE 754 binary16 is the compiler's own type; bfloat16 is the upper half of a binary32.
using f16 = _Float16;
struct bf16 {
  std::uint16_t bits;
};

// One row an element type: the table that names, sizes and lists come from.
struct ElementTypeRow {
  ElementType type;
  std::string_view name;
  std::size_t bytes;
};
inline constexpr std::array<ElementTypeRow, 8> element_types{{{ElementType::f16, "f16", 2},
                                                              {ElementType::bf16, "bf16", 2},
                                                              {ElementType::f32, "f32", 4},
                                                              {ElementType::f64, "f64", 8},
                                                              {ElementType::i8, "i8", 1},
                                                              {ElementType::u8, "u8", 1},
                                                              {ElementType::i32, "i32", 4},
                                                              {ElementType::i64, "i64", 8}}};
inline constexpr std::array<std::string_view, 5> operator_names{"sum", "avg", "prod", "min", "max"};

constexpr std::string_view name_of(ElementType type) {
  return element_types[static_cast<std::size_t>(type)].name;
}
constexpr std::size_t bytes_of(ElementType type) {
  return element_types[static_cast<std::size_t>(type)].bytes;
}
constexpr std::string_view name_of(Operator op) {
  return operator_names[static_cast<std::size_t>(op)];
}
constexpr bool is_integer(ElementType type) { return type >= ElementType::i8; }

// Nothing where the name is not one of the table's.
constexpr std::optional<ElementType> element_type_named(std::string_view name) {
  for (const ElementTypeRow& row : element_types)
    if (row.name == name) return row.type;
  return std::nullopt;
}
constexpr std::optional<Operator> operator_named(std::string_view name) {
  for (std::size_t i = 0; i < operator_names.size(); ++i)
    if (operator_names[i] == name) return static_cast<Operator>(i);
  return std::nullopt;
}

// Calls body(std::type_identity<T>{}) with the C++ type of the element type.
template <class Body>
decltype(auto) with_type(ElementType type, Body&& body) {
  switch (type) {
    case ElementType::f16: return body(std::type_identity<f16>{});
    case ElementType::bf16: return body(std::type_identity<bf16>{});
    case ElementType::f32: return body(std::type_identity<float>{});
    case ElementType::f64: return body(std::type_identity<double>{});
    case ElementType::i8: return body(std::type_identity<std::int8_t>{});
    case ElementType::u8: return body(std::type_identity<std::uint8_t>{});
    case ElementType::i32: return body(std::type_identity<std::int32_t>{});
    case ElementType::i64: return body(std::type_identity<std::int64_t>{});
  }
  throw std::logic_error("with_type: no such element type");
}

}  // namespace ringscope
