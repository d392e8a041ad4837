#pragma once

#include "smv/names/flat_model.h"
#include "smv/terms/term_builder.h"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nestor::smv {

/// What a name means in an instance of a module.
struct Meaning {
  enum class Kind : std::uint8_t { None, Variable, Instance, Definition, Array };
  Kind kind = Kind::None;
  std::uint32_t index = 0;
};

/// `name := expression`, or an actual parameter: an expression and where its names are looked up.
struct Definition {
  enum class State : std::uint8_t { Untouched, Open, Done };
  ExprId value;
  InstanceId scope;
  std::string_view name;
  Place at = 0;
  bool is_parameter = false;
  State state[2] = {State::Untouched, State::Untouched};  ///< [1]: under `next`
  TermId term[2];
};

struct Array {
  std::int64_t low = 0;
  std::vector<Meaning> elements;
};

struct Instance {
  const ModuleSyntax* module = nullptr;
  std::vector<const ModuleSyntax*> parts;  ///< the module and what it inherits
  InstanceId parent;
  std::string name;  ///< empty for the outermost one
  std::size_t depth = 0;
  std::size_t process = 0;
  bool is_process = false;
  std::unordered_map<std::string_view, Meaning> names;
};

/// The instances of all modules below one, and what the names in them mean.
struct Scopes {
  base::IdVector<InstanceId, Instance> instances;
  std::deque<Definition> definitions;
  std::deque<Array> arrays;
  std::deque<std::string>
      dotted_names;  ///< of definitions: `DEFINE p.q := …` without an instance p
};

/// Turns expressions into terms where their names are known. Without recursion: definitions may
/// refer to each other in long chains.
class Resolver {
 public:
  Resolver(const base::Input& input, const FileSyntax& file, Scopes& scopes, FlatModel& model)
      : file_(file),
        scopes_(scopes),
        model_(model),
        build_(input, model.terms, model.symbols, model.recursive) {}

  TermId term(ExprId expression, InstanceId scope);
  /// What a name with dots and constant indices means; an error if it means nothing.
  Meaning meaning(ExprId designator, InstanceId scope);
  /// The same, with parameters followed to what was given for them: what an assignment assigns.
  Meaning target(ExprId designator, InstanceId scope) { return settle(meaning(designator, scope)); }
  /// The instance that the name before the last dot means.
  Meaning owner(ExprId dotted, InstanceId scope);
  TermId define_term(Meaning definition, bool next = false);
  bool is_designator(ExprId expression) const;
  /// Whether the first name of a designator is declared.
  bool is_declared(ExprId designator, InstanceId scope) const;
  /// A designator whose indices are numbers as one name, `p.q[0]`; empty for others.
  std::string joined(ExprId designator) const;
  TermBuilder& build() { return build_; }
  /// For messages: the expression as written, cut if it is long.
  std::string quoted(ExprId expression) const;

 private:
  struct Frame {
    ExprId expression;
    InstanceId scope;
    bool next = false;                 // under `next(…)`
    std::uint32_t done = 0;            // children that are terms already
    std::vector<ExprId> indices;       // of Index, outermost array first
    Definition* definition = nullptr;  // the result is its term
    std::size_t base = 0;              // of its operands on the stack of results
    bool begun = false;
  };

  void step();
  void begin(Frame& frame);
  void finish();
  void give(TermId term);
  void push(ExprId expression, InstanceId scope, bool next, Definition* definition = nullptr);
  void begin_name(Frame& frame);
  void begin_definition(Definition& definition, bool next);
  TermId element(Meaning array, const std::vector<TermId>& indices, std::size_t depth, bool next,
                 Place at);
  TermId value_of(Meaning meaning, bool next, Place at, std::string_view name);
  Meaning look_up(std::string_view name, InstanceId scope) const;
  /// Whether names with dots or brackets in them are declared anywhere.
  bool has_dotted_names() const {
    return !file_.dotted_names.empty() || !scopes_.dotted_names.empty();
  }
  Meaning look_up_joined(ExprId designator, InstanceId scope) const;
  bool has_constant_indices(ExprId designator, InstanceId scope);
  bool is_running(const Expr& expr, InstanceId scope) const;
  Meaning settle(Meaning meaning);

  const FileSyntax& file_;
  Scopes& scopes_;
  FlatModel& model_;
  TermBuilder build_;
  std::vector<Frame> stack_;
  std::vector<TermId> results_;
  int nested_ = 0;  // define_term() within define_term()
};

/// Puts module `module` of the file and all its instances together. Throws Error.
class Flattener {
 public:
  Flattener(const base::Input& input, const FileSyntax& file, std::size_t module, bool recursive);

  void run();
  FlatModel& model() { return model_; }
  /// Resolves names in specifications.
  Resolver& resolver() { return resolver_; }

 private:
  const ModuleSyntax* find_module(std::string_view name) const;
  void declare_constants(const TypeSyntax& type);
  InstanceId add_instance(const ModuleSyntax& module, InstanceId parent, std::string name,
                          Place at);
  std::vector<const ModuleSyntax*> with_inherited(const ModuleSyntax& module) const;
  void declare(InstanceId id);
  void declare_variables(InstanceId id, const ModuleSyntax& part);
  Meaning declare_type(InstanceId scope, const TypeSyntax& type, VariableKind kind,
                       const std::string& name, Place at);
  Meaning declare_instance(InstanceId scope, const TypeSyntax& type, const std::string& name);
  Meaning declare_array(InstanceId scope, const TypeSyntax& type, VariableKind kind,
                        const std::string& name, Place at);
  void set_type(Variable& variable, const TypeSyntax& type, InstanceId scope);
  void add_name(InstanceId scope, std::string_view name, Meaning meaning, Place at);
  void declare_definitions(InstanceId id);
  Meaning define_array(InstanceId id, const ArrayDefineSyntax& define,
                       const ArrayValueSyntax& value);
  void collect(InstanceId id);
  void collect_assignments(InstanceId id, const ModuleSyntax& part);
  void collect_constraints(const std::vector<ExprId>& from, InstanceId id, std::string_view keyword,
                           std::vector<Constraint>& to);
  void collect_labels();
  std::string full_name(InstanceId scope, std::string_view name) const;
  [[noreturn]] void fail(const std::string& message, Place at,
                         base::Error::Kind kind = base::Error::Kind::Input) const;

  const base::Input& input_;
  const FileSyntax& file_;
  std::size_t module_;
  FlatModel model_;
  Scopes scopes_;
  Resolver resolver_;
  std::unordered_map<std::string_view, const ModuleSyntax*> modules_;
};

}  // namespace nestor::smv
