// Models of the caller's: States as a model::SuccessorFunction, and models built piece by piece.

#include "api/model_impl.h"
#include "model/builder.h"
#include "model/successor_function.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace nestor {

namespace {

class Sink final : public StateSink {
 public:
  Sink(model::StateSink& sink, std::size_t words) : sink_(sink), words_(words) {}

  void add(std::span<const std::uint32_t> state) override {
    if (state.size() != words_) {
      throw Error(Error::Kind::Input,
                  fmt::format("a state has {} words, expected {}", state.size(), words_));
    }
    sink_.add(state);
    is_empty_ = false;
  }
  bool is_empty() const { return is_empty_; }

 private:
  model::StateSink& sink_;
  std::size_t words_;
  bool is_empty_ = true;
};

class CallersStates final : public model::SuccessorFunction {
 public:
  explicit CallersStates(std::unique_ptr<States> states)
      : states_(std::move(states)), words_(states_->words()) {
    if (words_ == 0) {
      throw Error(Error::Kind::Input, "states have no words, expected at least one");
    }
  }

  std::size_t state_words() const override { return words_; }
  std::size_t state_bits() const override { return 32 * words_; }
  void initial_states(model::StateSink& sink) override {
    Sink own(sink, words_);
    states_->initial(own);
    if (own.is_empty()) {
      throw Error(Error::Kind::Input, "the model has no initial state");
    }
  }
  bool successors(base::StateView state, model::StateSink& sink) override {
    sink.tick();
    Sink own(sink, words_);
    states_->successors(state, own);
    return true;
  }
  Proposition find_proposition(std::string_view atom) override {
    return {states_->proposition(atom), {}, {}};
  }
  bool holds(std::uint32_t proposition, base::StateView state) const override {
    return states_->holds(proposition, state);
  }
  std::vector<std::string> propositions() const override { return states_->propositions(); }
  std::string describe(base::StateView state) const override { return states_->describe(state); }

 private:
  std::unique_ptr<States> states_;
  std::size_t words_;
};

model::ModelBuilder::Ref ref(const End& end) {
  return end.box.empty() ? model::ModelBuilder::Ref::node(end.node)
                         : model::ModelBuilder::Ref::box_node(end.box, end.node);
}

}  // namespace

States::~States() = default;

std::string States::describe(State state) const {
  return fmt::format("({})", fmt::join(state, ", "));
}

Model Model::of(std::unique_ptr<States> states, std::string name, DeadEnds dead_ends) {
  return ModelAccess::make(std::make_shared<Impl>(session::Subject(
      std::move(name), std::make_shared<CallersStates>(std::move(states)), dead_ends)));
}

struct ModelBuilder::Impl {
  explicit Impl(std::string given) : name(std::move(given)), builder(name) {}
  std::string name;
  model::ModelBuilder builder;
  bool has_component = false;
  bool is_finished = false;

  /// What pieces are added to.
  model::ModelBuilder& open() {
    if (!has_component || is_finished) {
      throw Error(Error::Kind::Usage,
                  is_finished ? "the model is finished" : "a component must come first");
    }
    return builder;
  }
};

ModelBuilder::ModelBuilder(std::string name) : impl_(std::make_unique<Impl>(std::move(name))) {}
ModelBuilder::ModelBuilder(ModelBuilder&&) noexcept = default;
ModelBuilder& ModelBuilder::operator=(ModelBuilder&&) noexcept = default;
ModelBuilder::~ModelBuilder() = default;

ModelBuilder& ModelBuilder::component(std::string_view name) {
  impl_->has_component = true;
  impl_->open().component(name);
  return *this;
}

ModelBuilder& ModelBuilder::node(const Component::Node& node) {
  impl_->open().node({.name = node.name,
                      .is_entry = node.is_entry,
                      .is_exit = node.is_exit,
                      .file = node.file,
                      .line = node.line});
  for (const std::string& label : node.labels) {
    impl_->open().label(label);
  }
  return *this;
}

ModelBuilder& ModelBuilder::box(std::string_view name, std::string_view callee) {
  impl_->open().box(name, callee);
  return *this;
}

ModelBuilder& ModelBuilder::transition(const End& from, const End& to) {
  impl_->open().transition(ref(from), ref(to));
  return *this;
}

ModelBuilder& ModelBuilder::initial_component(std::string_view name) {
  impl_->open().initial_component(name);
  return *this;
}

ModelBuilder& ModelBuilder::initial_node(std::string_view name) {
  impl_->open().initial_node(name);
  return *this;
}

Model ModelBuilder::finish(DeadEnds dead_ends) {
  model::Rsm machine = impl_->open().finish(dead_ends);
  impl_->is_finished = true;
  return ModelAccess::make(
      std::make_shared<Model::Impl>(session::Subject(impl_->name, std::move(machine), dead_ends)));
}

}  // namespace nestor
