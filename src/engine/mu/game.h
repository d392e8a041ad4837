#pragma once

#include "base/compressed_rows.h"
#include "engine/mu/frames.h"
#include "engine/mu/monotone.h"
#include "engine/mu/plan.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace nestor::engine::mu {

using VertexId = base::Id<struct VertexTag>;
using CallId = base::Id<struct CallTag>;

/// A step to show at a place of a frame.
struct Vertex {
  enum class Kind : std::uint8_t {
    Local,   ///< at a plain node
    Called,  ///< at a call node, or at a return node if we got there backwards: inside the callee
    Port,    ///< a modality at a box node, as far as it is about the caller's transitions
  };
  FrameId frame;
  model::NodeId node;
  StepId step;
  Kind kind = Kind::Local;
  CallId call;  ///< of the other two kinds
};

/// What of a modality at an exit (or at an entry, if it looks back) the caller decides. `level` is
/// the largest level of the modality's block met on the way there, 0 if it is less than 2.
struct Atom {
  std::uint32_t port = 0;  ///< the index of an exit or entry
  StepId step;
  std::uint32_t level = 0;
};

/// The vertices that the formula's value in the initial states depends on, and how (docs/mu.md).
class Game {
 public:
  Game(const model::Rsm& model, const Plan& plan, base::LimitGuard& guard);

  const base::IdVector<VertexId, Vertex>& vertices() const { return vertices_; }
  std::span<const VertexId> initial() const { return initial_; }
  /// What a vertex is combined of; of a Called one, the vertex inside the callee.
  std::span<const VertexId> operands(VertexId v) const {
    return {operands_.data() + first_operand_[v.value()],
            operands_.data() + first_operand_[v.value() + std::size_t{1}]};
  }
  /// The vertices of the same block whose value a change of `v` may change, and perhaps others.
  std::span<const VertexId> dependents(VertexId v) const;
  /// True if the vertex has the atom `atom_of(v)` beside its operands.
  bool leaves_frame(VertexId v) const;
  Atom atom_of(VertexId v) const;
  /// The vertex that says what an atom of the callee means to the caller of a Called one.
  VertexId port_of(VertexId called, const Atom& atom) const;
  std::size_t frame_count() const { return frames_.count(); }

 private:
  /// A box of a frame that something is asked of.
  struct Call {
    FrameId frame;
    model::BoxId box;
    FrameId callee;
    std::vector<VertexId> called;  // in the end sorted by block
  };
  /// What is asked of a frame.
  struct Demand {
    std::vector<VertexId> slots = {};  // by node, step and kind
    std::vector<Atom> atoms = {};      // without levels
    std::vector<bool> has_atom = {};   // by port and step; exits, then entries
    std::vector<CallId> calls = {};    // of it
    std::vector<CallId> call_of_box = {};
  };

  std::size_t slot(FrameId frame, model::NodeId node, StepId step, bool is_port) const;
  VertexId vertex(FrameId frame, model::NodeId node, StepId step, bool is_port = false);
  CallId call(FrameId frame, model::BoxId box);
  model::NodeId port_node(model::BoxId box, const Atom& atom) const;
  void add_operand(VertexId operand);
  void expand(VertexId v);
  void expand_modality(const Vertex& at);
  void ask_callers(VertexId v);
  void ask_port(CallId call, const Atom& atom);
  BlockId block_of(VertexId v) const { return plan_[vertices_[v].step].block; }
  void find_dependents();

  const model::Rsm& model_;
  const Plan& plan_;
  base::LimitGuard& guard_;
  Frames frames_;
  base::IdVector<FrameId, Demand> demands_;
  base::IdVector<CallId, Call> calls_;
  base::IdVector<VertexId, Vertex> vertices_;
  std::vector<std::size_t> first_operand_;
  std::vector<VertexId> operands_;
  base::CompressedRows<VertexId, VertexId> dependents_;
  std::vector<VertexId> initial_;
};

}  // namespace nestor::engine::mu
