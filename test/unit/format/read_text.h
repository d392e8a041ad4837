#pragma once

#include "base/input.h"
#include "format/rsm_json/reader.h"
#include "format/rsm_json/writer.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace nestor {

inline Rsm read_text(std::string_view text, DeadEnds dead_ends = DeadEnds::Keep) {
  return read_rsm_json(Input::from_text("test.rsm", text), dead_ends);
}

/// The message with its place; empty if the text is read.
inline std::string refusal(std::string_view text, DeadEnds dead_ends = DeadEnds::Keep) {
  try {
    read_text(text, dead_ends);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// The node that Rsm::describe() calls `name`.
inline NodeId node(const Rsm& model, std::string_view name) {
  for (const NodeId n : model.nodes()) {
    if (model.describe(n) == name) {
      return n;
    }
  }
  return {};
}

/// The successors of a node, described, in their order.
inline std::vector<std::string> after(const Rsm& model, std::string_view name) {
  std::vector<std::string> found;
  for (const NodeId n : model.successors(node(model, name))) {
    found.push_back(model.describe(n));
  }
  return found;
}

}  // namespace nestor
