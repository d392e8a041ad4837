#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nestor::driver {

struct Streams;

/// What a command line asks for. Fields of other commands keep their defaults.
struct Options {
  std::string model;
  std::vector<std::string> link;  ///< further bitcode files
  std::string externals;          ///< a model of external functions
  std::uint64_t max_targets = 256;
  std::vector<std::string> formula_files;
  std::vector<std::string> formulas;
  std::vector<std::string> mu_formulas;
  std::string engine;
  std::string dead_ends;  ///< empty: as the model says
  std::string initial;    ///< COMPONENT[:NODE]; empty: where the model says
  std::string from;
  std::string to;
  std::string output;
  std::string witness;  ///< `-`: with the verdicts
  std::string witness_dot;
  std::string atoms;    ///< of `convert`: `all`, or empty
  std::string formula;  ///< of `replay`
  std::string certificate;
  std::string certificate_dir;
  std::vector<std::string> arguments;  ///< of commands that pass them on
  std::string subject;                 ///< of `docs`, `completion` and `generate`
  std::optional<double> timeout;
  std::optional<std::uint64_t> memory;
  std::optional<std::uint64_t> steps;
  std::optional<std::uint64_t> max_states;
  std::uint64_t jobs = 0;
  std::uint64_t seed = 1;
  std::string choice;      ///< empty: all
  std::string net_stages;  ///< the last one; empty: all
  bool no_switch = false;
  std::optional<std::uint64_t> states;  ///< of `label`
  std::string only_component;           ///< likewise, as the next ones
  std::string only_node;
  bool dot = false;
  bool trace = false;
  std::string html;                  ///< of `check` and `lint`: a page to write
  bool no_sources = false;           ///< in it
  std::string listen = "127.0.0.1";  ///< of `serve`
  std::uint64_t port = 0;            ///< likewise; 0: one that is free
  bool json = false;
  bool json_lines = false;
  bool mcc = false;
  bool whole_states = false;
  bool stats = false;
  bool all_paths = false;  ///< of `replay` and `verify`

  // Of `check`, `lint` and `merge`.
  bool reproducible = false;
  std::string shard;  ///< I/N
  std::string shard_costs;
  std::vector<std::string> parts;
  std::string costs;  ///< a file to write

  // Of `lint` and `rules`.
  std::vector<std::string> programs;
  std::vector<std::string> rule_files;
  std::vector<std::string> rule_ids;
  std::string lint_format = "text";
  std::string baseline;
  std::string write_baseline;
  std::string source_root;
  std::string explain;  ///< a rule
  bool all_rules = false;
  bool system_headers = false;
  bool no_refutation = false;
  std::string value_steps;  ///< the last one; empty: all
  bool progress = false;
  bool quiet = false;

  // Of `generate`.
  bool program = false;
  std::uint64_t components = 3;
  std::uint64_t boxes = 2;
  std::optional<std::uint64_t> nodes;
  double entries = 0.05;
  double exits = 0.05;
  double density = 0.2;
  std::string labels = "a:0.4,b:0.6,c:0.5";
  std::uint64_t count = 1;
  std::uint64_t depth = 2;
  std::uint64_t width = 2;
  double negation = 0.3;
  std::string propositions = "a,b,c";
  std::uint64_t controls = 2;
  std::uint64_t symbols = 10;
  std::uint64_t pops = 10;
  std::uint64_t rewrites = 20;
  std::uint64_t pushes = 10;
};

/// Where an option's value goes. The type of the field is the type of the option; its value in
/// `Options{}` is the default.
using OptionField =
    std::variant<bool Options::*, std::string Options::*, std::vector<std::string> Options::*,
                 std::uint64_t Options::*, std::optional<std::uint64_t> Options::*,
                 std::optional<double> Options::*, double Options::*>;

/// Which values there are, for checking and for completion.
enum class ValueKind : std::uint8_t {
  Free,    ///< anything of the field's type
  File,    ///< the path of a file, `-` for a standard stream
  Choice,  ///< one of OptionRow::choices
  Engine,  ///< an id of the engine registry
  Format,  ///< an id of the format registry
};

/// One option or operand of one command.
struct OptionRow {
  std::string_view command;
  std::string_view name;  ///< `--engine`, `-f,--formula`; an operand without dashes: `MODEL`
  OptionField field;
  ValueKind kind = ValueKind::Free;
  std::string_view value;  ///< what help calls the value; empty for flags
  std::span<const std::string_view> choices;
  std::string_view help;
  bool required = false;
  bool expert = false;  ///< shown by --help, not by -h
  /// The value if the option is given without one; then a value must follow a `=`.
  std::string_view bare = {};

  bool is_operand() const { return name.front() != '-'; }
  bool is_flag() const { return std::holds_alternative<bool Options::*>(field); }
  bool is_list() const {
    return std::holds_alternative<std::vector<std::string> Options::*>(field);
  }
};

struct CommandRow {
  std::string_view name;
  std::string_view summary;  ///< one line
  bool hidden = false;       ///< not in help and completion
  int (*run)(const Options& options, const Streams& streams) = nullptr;
  bool passes_on =
      false;  ///< its arguments are another program's: not parsed, in Options::arguments
};

/// The two tables. Parsing, help, docs/cli.md and completion derive from them.
std::span<const CommandRow> command_table();
std::span<const OptionRow> option_table();

/// The default as a user would write it; empty if there is none.
std::string default_text(const OptionRow& row);
/// What the options of a command are, each as a user would write it, without those that have their
/// default and those that `passes_over` tells.
std::vector<std::string> given_options(std::string_view command, const Options& options,
                                       bool (*passes_over)(const OptionRow& row));
/// The spellings of an option: `-f` and `--formula`.
std::vector<std::string_view> spellings(const OptionRow& row);

}  // namespace nestor::driver
