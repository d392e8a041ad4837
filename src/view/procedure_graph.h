#pragma once

#include "view/layout.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <nestor/model.h>
#include <nestor/witness.h>
#include <set>
#include <string>
#include <vector>

namespace nestor::view {

/// The nodes that a page leads to, by procedure and name; they come first where not all fit.
class LookedAt {
 public:
  void add(const Witness& witness);
  bool contains(const std::string& procedure, const std::string& node) const {
    return nodes_.contains({procedure, node});
  }
  const std::set<std::string>& procedures() const { return procedures_; }

 private:
  struct Place {
    std::string procedure;
    std::string node;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  std::set<Place> nodes_;
  std::set<std::string> procedures_;
};

/// A procedure as it is drawn: its nodes, then its calls, numbered; and which of the nodes a page
/// has, if it cannot have all.
class ProcedureGraph {
 public:
  static constexpr std::uint32_t kLeftOut = ~std::uint32_t{0};

  /// `component` must outlive this; `procedures` has the number of each procedure.
  ProcedureGraph(const Component& component,
                 const std::map<std::string, std::uint32_t>& procedures);

  const Component& component() const { return *component_; }
  std::size_t size() const { return component_->nodes.size(); }           ///< nodes
  const std::vector<LayoutGraph::Edge>& edges() const { return edges_; }  ///< sorted, each once
  const std::vector<std::uint32_t>& callees() const { return callees_; }  ///< by call

  /// Keeps so many nodes at most: all, or else those that are looked at, the entries, and what is
  /// near these, breadth first. Calls take little room: all are kept, unless nothing is.
  void keep(std::size_t most, const LookedAt& looked_at);
  const std::vector<std::uint32_t>& kept() const { return kept_; }  ///< nodes, ascending
  /// Of a node or call among what is kept.
  std::uint32_t number(std::uint32_t end) const { return numbers_[end]; }

 private:
  std::vector<std::uint32_t> near(std::size_t most, const LookedAt& looked_at) const;
  std::size_t ends() const { return size() + callees_.size(); }

  const Component* component_;
  std::vector<LayoutGraph::Edge> edges_;
  std::vector<std::uint32_t> callees_;
  std::vector<std::uint32_t> kept_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace nestor::view
