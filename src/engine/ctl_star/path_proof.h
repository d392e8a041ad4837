#pragma once

#include "engine/ctl_star/path_graph.h"

#include <set>
#include <vector>

namespace nestor::engine::ctl_star {

/// By instance: the exits, and states to read them in, after whose return an accepted path goes on.
using Contexts = std::vector<std::set<PathGraph::Exit>>;

/// What a certificate says so that claims about some vertices follow.
class PathProof {
 public:
  using Vertex = PathGraph::Vertex;
  /// A way from a vertex: to an exit, or to what is good.
  struct Needed {
    Vertex vertex = 0;
    bool to_good = false;
    PathGraph::Exit exit;
    std::uint32_t set = PathGraph::kAny;

    friend auto operator<=>(const Needed&, const Needed&) = default;
  };

  /// Both arguments must outlive this; the graph is finished.
  PathProof(const PathGraph& paths, const Contexts& contexts);

  bool is_good(Vertex v) const;
  /// Collects all that is needed to show that a vertex is good, or that it is not.
  void claim(Vertex v);

  const std::set<Needed>& facts() const { return facts_; }
  const std::set<Vertex>& dead() const { return dead_; }
  const Contexts& good_exits() const { return good_exits_; }
  const Contexts& dead_exits() const { return dead_exits_; }
  const PathGraph::Fact& fact(const Needed& needed) const;

 private:
  void need_good(Vertex v);
  void need_fact(const Needed& needed);
  void need_premises(const Needed& needed);
  void need_dead(Vertex v);
  void need_closed(Vertex v);
  template <class Visit>
  void for_each_return(std::uint32_t instance, const PathGraph::Exit& exit, Visit visit);

  const PathGraph& paths_;
  const Contexts& contexts_;
  std::set<Needed> facts_;
  std::set<Vertex> good_;  // already asked for
  std::set<Vertex> dead_;
  std::set<Vertex> closed_;
  Contexts good_exits_;
  Contexts dead_exits_;
  std::vector<Vertex> open_good_;
  std::vector<Needed> open_facts_;
  std::vector<Vertex> open_dead_;
  std::vector<Vertex> open_closed_;
};

}  // namespace nestor::engine::ctl_star
