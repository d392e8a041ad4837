#pragma once

#include "model/rsm.h"

#include <cstddef>
#include <string>
#include <vector>

namespace nestor::test {

/// A model that can be changed piece by piece: plain lists, no invariants.
struct Draft {
  static constexpr std::size_t kNoBox = ~std::size_t{0};

  /// A node of the component, or of the callee of one of its boxes.
  struct End {
    std::size_t box = kNoBox;
    std::size_t node = 0;

    friend bool operator==(const End&, const End&) = default;
  };
  struct Node {
    std::string name;
    bool is_entry = false;
    bool is_exit = false;
    std::vector<std::string> labels;
  };
  struct Box {
    std::string name;
    std::size_t callee = 0;
  };
  struct Transition {
    End from;
    End to;
  };
  struct Component {
    std::string name;
    std::vector<Node> nodes;
    std::vector<Box> boxes;
    std::vector<Transition> transitions;
  };

  std::vector<Component> components;
  std::size_t initial_component = 0;
  std::vector<std::size_t> initial_nodes;
};

Draft draft_of(const model::Rsm& model);
/// Throws Error if the draft is not well-formed.
model::Rsm build(const Draft& draft);

}  // namespace nestor::test
