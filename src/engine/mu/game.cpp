#include "engine/mu/game.h"

#include <algorithm>

namespace nestor::engine::mu {

Game::Game(const model::Rsm& model, const Plan& plan, base::LimitGuard& guard)
    : model_(model), plan_(plan), guard_(guard), frames_(model, plan.looks_back(), guard) {
  for (const model::NodeId n : model.initial_nodes()) {
    initial_.push_back(vertex(frames_.lowest(), n, plan.root()));
  }
  for (std::uint32_t v = 0; v < vertices_.size(); ++v) {
    guard_.tick();
    base::reserve_one_more(first_operand_, guard_);
    first_operand_.push_back(operands_.size());
    expand(VertexId(v));
  }
  first_operand_.push_back(operands_.size());
  find_dependents();
}

std::size_t Game::slot(FrameId frame, model::NodeId node, StepId step, bool is_port) const {
  const std::size_t local = node - frames_.component(frame).first_node;
  return (local * plan_.step_count() + step.value()) * 2 + (is_port ? 1 : 0);
}

VertexId Game::vertex(FrameId frame, model::NodeId node, StepId step, bool is_port) {
  if (demands_.size() <= frame.value()) {
    demands_.resize(frame.value() + std::size_t{1});
  }
  if (demands_[frame].slots.empty()) {
    const model::Component& component = frames_.component(frame);
    const std::size_t size =
        std::size_t{component.node_end - component.first_node} * plan_.step_count() * 2;
    guard_.reserve(size * sizeof(VertexId));
    guard_.tick(1 + size / 64);
    demands_[frame].slots.resize(size);
  }
  const std::size_t place = slot(frame, node, step, is_port);
  if (!demands_[frame].slots[place].valid()) {
    Vertex made{frame, node, step, Vertex::Kind::Local, {}};
    if (model_.kind(node) != model::NodeKind::Plain) {
      made.kind = is_port ? Vertex::Kind::Port : Vertex::Kind::Called;
      made.call = call(frame, model_.box_of(node));
    }
    base::reserve_one_more(vertices_.items(), guard_);
    demands_[frame].slots[place] = vertices_.push_back(made);
  }
  return demands_[frame].slots[place];
}

CallId Game::call(FrameId frame, model::BoxId box) {
  const model::Component& owner = frames_.component(frame);
  if (demands_[frame].call_of_box.empty()) {
    demands_[frame].call_of_box.resize(owner.box_end - owner.first_box);
  }
  const std::size_t place = box - owner.first_box;
  if (!demands_[frame].call_of_box[place].valid()) {
    demands_[frame].call_of_box[place] =
        calls_.push_back({frame, box, frames_.callee(frame, box), {}});
  }
  return demands_[frame].call_of_box[place];
}

void Game::add_operand(VertexId operand) {
  base::reserve_one_more(operands_, guard_);
  operands_.push_back(operand);
}

void Game::expand(VertexId v) {
  const Vertex at = vertices_[v];
  const Step& step = plan_[at.step];
  if (at.kind == Vertex::Kind::Called) {
    const FrameId callee = calls_[at.call].callee;
    add_operand(vertex(callee, model_.origin(at.node), at.step));
    calls_[at.call].called.push_back(v);
    if (calls_[at.call].called.size() == 1) {
      demands_[callee].calls.push_back(at.call);
      for (std::size_t i = 0; i < demands_[callee].atoms.size(); ++i) {
        ask_port(at.call, demands_[callee].atoms[i]);
      }
    }
  } else if (step.is_modality()) {
    expand_modality(at);
    if (leaves_frame(v)) {
      ask_callers(v);
    }
  } else {
    for (const StepId operand : {step.left, step.right}) {
      if (operand.valid()) {
        add_operand(vertex(at.frame, at.node, operand));
      }
    }
  }
}

void Game::expand_modality(const Vertex& at) {
  const Step& step = plan_[at.step];
  const auto neighbours = step.backward ? model_.predecessors(at.node) : model_.successors(at.node);
  guard_.tick(neighbours.size());
  for (const model::NodeId n : neighbours) {
    if (frames_.is_live(at.frame, n)) {
      add_operand(vertex(at.frame, n, step.left));
    }
  }
  if (frames_[at.frame].is_lowest && at.kind == Vertex::Kind::Local && model_.is_exit(at.node)) {
    add_operand(vertex(at.frame, at.node, step.left));  // nothing to return to: it loops
  }
}

bool Game::leaves_frame(VertexId v) const {
  const Vertex& at = vertices_[v];
  const Step& step = plan_[at.step];
  return at.kind == Vertex::Kind::Local && step.is_modality() && !frames_[at.frame].is_lowest &&
         (step.backward ? model_.is_entry(at.node) : model_.is_exit(at.node));
}

Atom Game::atom_of(VertexId v) const {
  const Vertex& at = vertices_[v];
  return {plan_[at.step].backward ? model_.entry_index(at.node) : frames_.port_of(at.node), at.step,
          0};
}

void Game::ask_callers(VertexId v) {
  const FrameId frame = vertices_[v].frame;
  const model::ComponentId component = frames_[frame].component;
  const std::size_t exits = model_.exits(component).size();
  const Atom atom = atom_of(v);
  Demand& demand = demands_[frame];
  if (demand.has_atom.empty()) {
    const std::size_t size = (exits + model_.entries(component).size()) * plan_.step_count();
    guard_.reserve(size / 8);
    demand.has_atom.resize(size);
  }
  const std::size_t port = plan_[atom.step].backward ? exits + atom.port : atom.port;
  const std::size_t place = port * plan_.step_count() + atom.step.value();
  if (!demand.has_atom[place]) {
    demand.has_atom[place] = true;
    demand.atoms.push_back(atom);
    for (std::size_t i = 0; i < demands_[frame].calls.size(); ++i) {
      ask_port(demands_[frame].calls[i], atom);
    }
  }
}

model::NodeId Game::port_node(model::BoxId box, const Atom& atom) const {
  const model::Box& b = model_.box(box);
  return (plan_[atom.step].backward ? b.first_call : b.first_return) + atom.port;
}

void Game::ask_port(CallId call, const Atom& atom) {
  guard_.tick();
  vertex(calls_[call].frame, port_node(calls_[call].box, atom), atom.step, true);
}

VertexId Game::port_of(VertexId called, const Atom& atom) const {
  const Call& call = calls_[vertices_[called].call];
  const model::NodeId node = port_node(call.box, atom);
  return demands_[call.frame].slots[slot(call.frame, node, atom.step, true)];
}

std::span<const VertexId> Game::dependents(VertexId v) const {
  if (vertices_[v].kind != Vertex::Kind::Port) {
    return dependents_[v];
  }
  const std::vector<VertexId>& called = calls_[vertices_[v].call].called;
  const auto block = [this](VertexId c) { return block_of(c); };
  return {std::ranges::lower_bound(called, block_of(v), {}, block),
          std::ranges::upper_bound(called, block_of(v), {}, block)};
}

void Game::find_dependents() {
  for (Call& call : calls_) {
    guard_.tick(call.called.size());
    std::ranges::stable_sort(call.called, {}, [this](VertexId c) { return block_of(c); });
  }
  guard_.reserve((operands_.size() + vertices_.size()) * sizeof(VertexId));
  dependents_ = base::CompressedRows<VertexId, VertexId>(vertices_.size());
  const auto for_each = [this](auto visit) {
    for (const VertexId v : vertices_.ids()) {
      for (const VertexId operand : operands(v)) {
        guard_.tick();
        visit(operand, v);
      }
    }
  };
  for_each([this](VertexId operand, VertexId) { dependents_.count(operand); });
  dependents_.finish_counting();
  for_each([this](VertexId operand, VertexId v) { dependents_.add(operand, v); });
}

}  // namespace nestor::engine::mu
