#pragma once

#include "model/successor_function.h"
#include "net/prod_lexer.h"
#include "net/prod_parser.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::net {

/// How a net and its user name things: places with tuples, `process<1,CS>`, and transitions with
/// the values of their variables.
class ProdNames {
 public:
  ProdNames(const ProdNet& net, const std::vector<ProdConstant>& constants);

  /// A place, and one tuple there or all.
  struct Named {
    std::size_t place = 0;
    std::optional<ProdNet::Tuple> tuple;
  };
  /// `process`, `process<1,CS>`, `process<.1,CS.>`. Nothing if the net has no such place, or only
  /// one with other tuples.
  std::optional<Named> find_place(std::string_view text) const;
  std::optional<std::size_t> find_transition(std::string_view name) const;

  /// `process<1,CS>`: a value is a macro where the file has that macro in this field.
  std::string text(std::size_t place, std::span<const std::int64_t> tuple) const;
  /// `<1,CS>`
  std::string tuple_text(std::size_t place, std::span<const std::int64_t> tuple) const;
  /// A transition with its variables' values. A value is written as in the first field of an arc
  /// that is this variable alone.
  model::StepName step_name(std::size_t transition, const ProdBinding& binding) const;

 private:
  struct Field {
    std::size_t place = 0;
    std::size_t field = 0;
  };
  struct Place {
    std::string name;
    std::optional<std::size_t> width;  // none: nothing is known of its tuples
    std::vector<std::map<std::int64_t, std::string>> macros;
  };

  struct Transition {
    std::string name;
    std::vector<std::string> variables;
    std::vector<std::optional<Field>> fields;  // by variable
  };

  std::optional<ProdNet::Tuple> read_tuple(std::string_view text) const;
  std::string field_text(const Field& field, std::int64_t value) const;

  std::vector<Place> places_;
  std::vector<Transition> transitions_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::map<std::string, std::size_t, std::less<>> transition_by_name_;
  std::map<std::string, std::int64_t, std::less<>> constants_;
};

}  // namespace nestor::net
