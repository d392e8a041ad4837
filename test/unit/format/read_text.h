#pragma once

#include "base/input.h"
#include "format/rsm_json/reader.h"
#include "format/rsm_json/writer.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::format {

inline model::Rsm read_text(std::string_view text,
                            model::DeadEnds dead_ends = model::DeadEnds::Keep) {
  return read_rsm_json(base::Input::from_text("test.rsm", text), dead_ends);
}

/// The message with its place; empty if the text is read.
inline std::string refusal(std::string_view text,
                           model::DeadEnds dead_ends = model::DeadEnds::Keep) {
  try {
    read_text(text, dead_ends);
  } catch (const base::Error& error) {
    return error.what();
  }
  return {};
}

/// The node that Rsm::describe() calls `name`.
inline model::NodeId node(const model::Rsm& model, std::string_view name) {
  for (const model::NodeId n : model.nodes()) {
    if (model.describe(n) == name) {
      return n;
    }
  }
  return {};
}

/// The successors of a node, described, in their order.
inline std::vector<std::string> after(const model::Rsm& model, std::string_view name) {
  std::vector<std::string> found;
  for (const model::NodeId n : model.successors(node(model, name))) {
    found.push_back(model.describe(n));
  }
  return found;
}

}  // namespace nestor::format
