#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nestor/formula.h>
#include <nestor/settings.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor {

/// One end of a transition: a node, or the call or return node that a box has for a node of the
/// procedure it calls.
struct End {
  End(std::string own_node) : node(std::move(own_node)) {}
  End(const char* own_node) : node(own_node) {}
  End(std::string of_box, std::string its_node)
      : box(std::move(of_box)), node(std::move(its_node)) {}

  std::string box;  ///< empty: a node of the procedure itself
  std::string node;
};

/// What one procedure is made of.
struct Component {
  struct Node {
    std::string name;
    bool is_entry = false;
    bool is_exit = false;
    std::vector<std::string> labels = {};
    std::string file = {};  ///< source position; empty: unknown
    std::uint32_t line = 0;
  };
  struct Box {
    std::string name;
    std::string callee;
  };
  struct Transition {
    End from;
    End to;
  };
  std::string name;
  std::vector<Node> nodes;
  std::vector<Box> boxes;
  std::vector<Transition> transitions;
};

/// What a model is made of, in numbers, and what is odd about it.
struct ModelInfo {
  struct Odd {
    std::size_t count = 0;
    std::string first;  ///< of them, if there is one
  };
  std::string name;
  std::string format;  ///< id; empty if the model was not read
  std::string format_description;
  std::size_t components = 0;
  std::size_t nodes = 0;  ///< all three kinds
  std::size_t plain_nodes = 0;
  std::size_t call_nodes = 0;
  std::size_t return_nodes = 0;
  std::size_t boxes = 0;
  std::size_t transitions = 0;
  std::size_t propositions = 0;
  std::string initial_component;
  std::vector<std::string> initial_nodes;
  std::size_t entries = 0;
  std::size_t max_entries = 0;  ///< of one component
  std::size_t exits = 0;
  std::size_t max_exits = 0;
  bool recursive = false;
  std::size_t strong_components = 0;  ///< of the call graph
  std::size_t largest_strong_component = 0;
  std::size_t memory_bytes = 0;  ///< names aside
  std::vector<std::string> unreachable_components;
  Odd dead_ends;
  Odd entry_exits;
  Odd transitions_into_entries;
  Odd exits_going_on;
  Odd boxes_missing_returns;
  std::size_t read_bytes = 0;
  double read_seconds = 0;
};

/// Takes states one by one.
class NESTOR_API StateSink {
 public:
  /// Copies `state`. Throws if a limit is reached: let that pass.
  virtual void add(std::span<const std::uint32_t> state) = 0;

 protected:
  ~StateSink() = default;
};

/// A finite model of the caller's, given by its initial states, the successors of a state and what
/// holds in it. A state is a fixed number of words; equal states have equal words.
///
///     struct Counter : nestor::States {  // 0 → 1 → … → 9 → 0
///       std::size_t words() const override { return 1; }
///       void initial(nestor::StateSink& sink) override { sink.add(std::array{0U}); }
///       void successors(State s, nestor::StateSink& sink) override {
///         sink.add(std::array{(s[0] + 1) % 10});
///       }
///       …
class NESTOR_API States {
 public:
  using State = std::span<const std::uint32_t>;

  States() = default;
  States(const States&) = delete;
  States& operator=(const States&) = delete;
  virtual ~States();

  virtual std::size_t words() const = 0;      ///< of a state, at least 1; always the same
  virtual void initial(StateSink& sink) = 0;  ///< at least one
  virtual void successors(State state, StateSink& sink) = 0;
  /// A number for holds(); nothing if the model does not know the atom: then it is false.
  virtual std::optional<std::uint32_t> proposition(std::string_view atom) = 0;
  virtual bool holds(std::uint32_t proposition, State state) const = 0;
  /// Atoms worth knowing when the model is written to a file.
  virtual std::vector<std::string> propositions() const { return {}; }
  /// For people, on one line; different for different states. The words, unless told otherwise.
  virtual std::string describe(State state) const;
};

/// A model: read, built or of the caller's own. A handle: copies are the same model. Several
/// sessions may ask about one at the same time, also from several threads, if it is made of
/// procedures; one whose states are explored is for one thread at a time.
class NESTOR_API Model {
 public:
  /// Reads a file. Throws Error, with the place of what is wrong.
  static Model read(const std::string& path, const Settings& settings = {});
  static Model read(const ModelSource& source, const Settings& settings = {});
  /// Reads a text; `name` is for messages.
  static Model parse(std::string_view text, std::string_view format = "rsm",
                     const std::string& name = "<model>", const Settings& settings = {});
  /// A model that is explored when it is asked about, or while it is decided.
  static Model of(std::unique_ptr<States> states, std::string name = "<model>",
                  DeadEnds dead_ends = DeadEnds::Keep);

  const std::string& name() const;
  /// Of the file: CTL formulas, and those that are none (Formula::unsupported).
  const std::vector<Formula>& properties() const;
  const std::vector<std::string>& warnings() const;  ///< of the reader
  /// True if there are procedures; false if states are explored, and have not been.
  bool is_explored() const;
  /// Explores the states, if there are such, labelled with `propositions`; if none are given, with
  /// those that the model has of itself, or the properties of its file. Throws Error (Unsupported)
  /// if a limit is reached.
  void explore(const Settings& settings = {},
               const std::optional<std::vector<std::string>>& propositions = std::nullopt);

  /// Every atom that states which are explored can be labelled with, for a graph that is kept and
  /// asked later. Explores them, labelled with nothing. Throws as explore() does.
  std::vector<std::string> all_atoms(const Settings& settings = {});

  /// What costs nothing to know: the sizes; 0 if states have not been explored.
  ModelInfo sizes() const;

  // These explore the model as explore() does, unless it is explored.
  ModelInfo info();
  std::vector<Component> components();
  std::string initial_component();
  std::vector<std::string> initial_nodes();
  std::vector<std::string> propositions();  ///< that the states are labelled with
  /// In a format that can be written. Throws Error (Usage) for another.
  std::string write(std::string_view format = "rsm");

  /// True if the model is given by how its states change.
  bool is_given_by_states() const;

  struct Impl;  ///< of the library

 private:
  friend class ModelAccess;
  explicit Model(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

/// Makes a model piece by piece. Nodes, boxes and transitions belong to the component begun last;
/// names may be used before what they name is there. finish() checks everything.
class NESTOR_API ModelBuilder {
 public:
  explicit ModelBuilder(std::string name = "<model>");
  ModelBuilder(ModelBuilder&&) noexcept;
  ModelBuilder& operator=(ModelBuilder&&) noexcept;
  ~ModelBuilder();

  ModelBuilder& component(std::string_view name);
  ModelBuilder& node(const Component::Node& node);
  ModelBuilder& box(std::string_view name, std::string_view callee);
  /// `transition("start", {"call", "enter"})`: from a node to the call node of a box.
  ModelBuilder& transition(const End& from, const End& to);
  ModelBuilder& initial_component(std::string_view name);
  /// Without any: the entries of the initial component.
  ModelBuilder& initial_node(std::string_view name);
  /// Call once. Throws Error (Input) for a model that is not well-formed.
  Model finish(DeadEnds dead_ends = DeadEnds::Keep);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A file format.
struct Format {
  std::string id;
  std::string extension;  ///< with its dot
  std::string description;
  bool is_written = false;  ///< Model::write() knows it
  bool has_properties = false;
};
NESTOR_API std::vector<Format> formats();
/// The format named `id`, or if that is empty the one of the path's extension. Throws Error
/// (Usage).
NESTOR_API Format find_format(std::string_view id, std::string_view path);

}  // namespace nestor
