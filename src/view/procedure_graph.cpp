#include "view/procedure_graph.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace nestor::view {

void LookedAt::add(const Witness& witness) {
  for (std::size_t i = 0; i < witness.size(); ++i) {
    for (Witness::Step& step : witness.piece(i).path) {
      procedures_.insert(step.procedure);
      nodes_.insert({std::move(step.procedure), std::move(step.node)});
    }
  }
}

ProcedureGraph::ProcedureGraph(const Component& component,
                               const std::map<std::string, std::uint32_t>& procedures)
    : component_(&component) {
  std::map<std::string_view, std::uint32_t> nodes;
  std::map<std::string_view, std::uint32_t> boxes;
  for (std::uint32_t n = 0; n < size(); ++n) {
    nodes.emplace(component.nodes[n].name, n);
  }
  for (std::uint32_t b = 0; b < component.boxes.size(); ++b) {
    boxes.emplace(component.boxes[b].name, static_cast<std::uint32_t>(size() + b));
    callees_.push_back(procedures.at(component.boxes[b].callee));
  }
  const auto number_of = [&](const End& end) {
    return end.box.empty() ? nodes.at(end.node) : boxes.at(end.box);
  };
  for (const Component::Transition& transition : component.transitions) {
    edges_.push_back({number_of(transition.from), number_of(transition.to)});
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

void ProcedureGraph::keep(std::size_t most, const LookedAt& looked_at) {
  numbers_.assign(ends(), kLeftOut);
  if (most == 0) {
    return;
  }
  if (size() <= most) {
    kept_.resize(size());
    std::iota(kept_.begin(), kept_.end(), 0U);
  } else {
    kept_ = near(most, looked_at);
    std::erase_if(kept_, [this](std::uint32_t n) { return n >= size(); });
    std::sort(kept_.begin(), kept_.end());
  }
  for (std::uint32_t i = 0; i < kept_.size(); ++i) {
    numbers_[kept_[i]] = i;
  }
  std::iota(numbers_.begin() + static_cast<std::ptrdiff_t>(size()), numbers_.end(),
            static_cast<std::uint32_t>(kept_.size()));
}

std::vector<std::uint32_t> ProcedureGraph::near(std::size_t most, const LookedAt& looked_at) const {
  std::vector<std::uint32_t> found;
  std::uint32_t round = 0;
  std::vector<std::uint32_t> found_in(ends(), kLeftOut);  // which round
  const auto visit = [&](std::uint32_t n) {
    if (found_in[n] == kLeftOut && found.size() < most) {
      found_in[n] = round;
      found.push_back(n);
    }
  };
  for (std::uint32_t n = 0; n < size(); ++n) {
    if (looked_at.contains(component_->name, component_->nodes[n].name)) {
      visit(n);
    }
  }
  for (std::uint32_t n = 0; n < size(); ++n) {
    if (component_->nodes[n].is_entry) {
      visit(n);
    }
  }
  for (std::size_t before = 0; before < found.size() && found.size() < most;) {
    before = found.size();
    ++round;
    for (const LayoutGraph::Edge& edge : edges_) {
      if (found_in[edge.from] < round) {
        visit(edge.to);
      } else if (found_in[edge.to] < round) {
        visit(edge.from);
      }
    }
  }
  return found;
}

}  // namespace nestor::view
