#include "driver/options.h"

#include "driver/commands.h"

#include <fmt/format.h>

#include <array>

namespace nestor::driver {

namespace {

constexpr std::array<std::string_view, 4> kDeadEnds = {"keep", "infinite", "loop", "error"};
constexpr std::array<std::string_view, 3> kGraphDeadEnds = {"keep", "loop", "error"};
constexpr std::array<std::string_view, 3> kWhich = {"leftmost", "random", "all"};
constexpr std::array<std::string_view, 5> kNetStages = {"rewriting", "reductions", "state-equation",
                                                        "stubborn-sets", "all"};
constexpr std::array<std::string_view, 5> kValueSteps = {"none", "constants", "outcomes",
                                                         "conditions", "all"};
constexpr std::array<std::string_view, 1> kAtoms = {"all"};
constexpr std::array<std::string_view, 3> kShells = {"bash", "zsh", "fish"};
constexpr std::array<std::string_view, 2> kSubjects = {"cli", "man"};
constexpr std::array<std::string_view, 5> kGenerated = {"rsm", "program", "ctl", "pds", "usedef"};
constexpr std::array<std::string_view, 4> kLintFormats = {"text", "json", "sarif", "junit"};
constexpr std::span<const std::string_view> kNone;

constexpr std::array kCommands = {
    CommandRow{"check", "Decide formulas on a model: one line a formula, its verdict first", false,
               run_check},
    CommandRow{"verify",
               "Check a certificate, the proof of a verdict, without deciding anything anew", false,
               run_verify},
    CommandRow{"replay", "Check a witness for a verdict, step by step, on the model", false,
               run_replay},
    CommandRow{"label",
               "Tell where formulas and their parts hold: at which nodes in which contexts", false,
               run_label},
    CommandRow{"info", "Tell the sizes of a model, its call graph and what is odd about it", false,
               run_info},
    CommandRow{"convert", "Write a model in another format", false, run_convert},
    CommandRow{"generate", "Make a random model or formula, the same for the same seed everywhere",
               false, run_generate},
    CommandRow{"probe", "Walk through the states of a model and ask formulas of them", false,
               run_probe},
    CommandRow{"serve", "Show a model in a browser and answer what is asked there", false,
               run_serve},
    CommandRow{"lint", "Check rules on a C or C++ program and warn where they do not hold", false,
               run_lint},
    CommandRow{"merge", "Put the parts of a report together that runs with --shard wrote", false,
               run_merge},
    CommandRow{"rules", "List the rules that lint checks", false, run_rules},
    CommandRow{"cc", "Compile C as clang does, and leave the program's bitcode beside it", false,
               run_cc, true},
    CommandRow{"c++", "Compile C++ as clang++ does, and leave the program's bitcode beside it",
               false, run_cxx, true},
    CommandRow{"engines", "List the engines, what they do and where they are from", false,
               run_engines},
    CommandRow{"completion", "Print a script that teaches a shell to complete nestor's options",
               false, run_completion},
    CommandRow{"docs", "Print a generated page of the documentation", true, run_docs},
};

constexpr auto kFree = ValueKind::Free;
constexpr auto kFile = ValueKind::File;
constexpr auto kChoice = ValueKind::Choice;
constexpr auto kEngine = ValueKind::Engine;
constexpr auto kFormat = ValueKind::Format;

// command, name, field, kind, value, choices, help, required, expert
const std::array kOptions = {
    OptionRow{"check", "MODEL", &Options::model, kFile, "", kNone,
              "The model; '-' is standard input", true},
    OptionRow{"check", "FORMULA-FILE", &Options::formula_files, kFile, "", kNone,
              "Files with one formula a line; '-' is standard input. With no formula at all, the "
              "properties in the model's file are checked, if its format has any"},
    OptionRow{"check", "-f,--formula", &Options::formulas, kFree, "FORMULA", kNone,
              "A formula to check; may be given several times"},
    OptionRow{"check", "--mu", &Options::mu_formulas, kFree, "FORMULA", kNone,
              "A formula of the modal mu-calculus to check (docs/mu.md); may be given several "
              "times"},
    OptionRow{"check", "--engine", &Options::engine, kEngine, "ID", kNone,
              "The engine that decides; 'nestor engines' lists them and marks the default"},
    OptionRow{"check", "--json", &Options::json, kFree, "", kNone,
              "Print one JSON object instead of lines"},
    OptionRow{
        "check", "--json-lines", &Options::json_lines, kFree, "", kNone,
        "Print one JSON object a line for each formula as soon as it is decided, and one at the "
        "end"},
    OptionRow{"check", "--mcc", &Options::mcc, kFree, "", kNone,
              "Print lines as the Model Checking Contest wants them"},
    OptionRow{"check", "-o,--output", &Options::output, kFile, "OUT", kNone,
              "The file to write; standard output unless given"},
    OptionRow{
        "check", "--reproducible", &Options::reproducible, kFree, "", kNone,
        "Leave out what differs from run to run: times, statistics and by which way a verdict "
        "was found (docs/batch.md)"},
    OptionRow{"check", "--shard", &Options::shard, kFree, "I/N", kNone,
              "Check the I-th of N shares of the formulas and write a part of the report, for "
              "'nestor merge' (docs/batch.md)"},
    OptionRow{"check", "--shard-costs", &Options::shard_costs, kFile, "FILE", kNone,
              "How long formulas took before, by 'nestor merge --costs' or --json: shares are "
              "balanced by that"},
    OptionRow{"check", "--stats", &Options::stats, kFree, "", kNone,
              "Print statistics to standard error"},
    OptionRow{
        "check", "--certificate", &Options::certificate, kFile, "FILE", kNone,
        "Write a proof of the verdict, for 'nestor verify'; compressed if the name ends in .gz"},
    OptionRow{"check", "--certificate-dir", &Options::certificate_dir, kFile, "DIR", kNone,
              "Write a proof of each verdict to DIR: 1.cert for the first formula, and so on"},
    OptionRow{
        "check", "--witness", &Options::witness, kFile, "FILE", kNone,
        "Show why: a path, a loop or a tree of them below each verdict. With FILE, write them "
        "there instead, complete, as --json prints them",
        false, false, "-"},
    OptionRow{"check", "--witness-dot", &Options::witness_dot, kFile, "FILE", kNone,
              "Write the paths of the witnesses for Graphviz"},
    OptionRow{"check", "--html", &Options::html, kFile, "FILE", kNone,
              "Write a page that shows the verdicts and walks through the witnesses "
              "(docs/view.md)"},
    OptionRow{"check", "--no-sources", &Options::no_sources, kFree, "", kNone,
              "Leave source files out of the page"},
    OptionRow{"check", "--source-root", &Options::source_root, kFile, "FOLDER", kNone,
              "Where the page's source files are, if neither here nor beside the model", false,
              true},
    OptionRow{"check", "--whole-states", &Options::whole_states, kFree, "", kNone,
              "Write the states of a net or an SMV file whole on the paths of --witness, not only "
              "what changes"},
    OptionRow{
        "check", "--timeout", &Options::timeout, kFree, "S", kNone,
        "Seconds that a formula may take, of a net all formulas together; then the verdict is "
        "'unknown'"},
    OptionRow{"check", "--memory", &Options::memory, kFree, "MB", kNone,
              "Megabytes that nestor may use; then the verdict is 'unknown'"},
    OptionRow{"check", "--steps", &Options::steps, kFree, "N", kNone,
              "Steps of work that a formula may take; then its verdict is 'unknown', the same on "
              "every machine, with any number of threads"},
    OptionRow{"check", "--max-states", &Options::max_states, kFree, "N", kNone,
              "States that a model whose states are explored may have; with more, the verdict is "
              "'unknown'"},
    OptionRow{
        "check", "--dead-ends", &Options::dead_ends, kChoice, "WHAT", kDeadEnds,
        "States without successors: 'keep' (paths end there), 'infinite' (only infinite paths "
        "count), 'loop' (each gets a self-loop) or 'error' (refuse the model); unless given, "
        "'infinite' for SMV files without calls, 'keep' for all others"},
    OptionRow{
        "check", "--initial", &Options::initial, kFree, "COMPONENT[:NODE]", kNone,
        "Start in this component, at its entries or at NODE, instead of where the model says"},
    OptionRow{"check", "--from", &Options::from, kFormat, "FORMAT", kNone,
              "The model's format, if its extension does not tell"},
    OptionRow{"check", "--jobs", &Options::jobs, kFree, "N", kNone,
              "Threads to use; 0: one for each processor", false, true},
    OptionRow{"check", "--seed", &Options::seed, kFree, "N", kNone,
              "Seed of engines that choose at random", false, true},
    OptionRow{"check", "--choice", &Options::choice, kChoice, "WHICH", kWhich,
              "Of the engine lazy: which of the unknown operands and of the boxes behind them its "
              "search follows: 'all' (unless given), the 'leftmost' or a 'random' one",
              false, true},
    OptionRow{
        "check", "--net-stages", &Options::net_stages, kChoice, "LAST", kNetStages,
        "Of nets in PNML: the last stage that a question goes through before it is searched: "
        "'rewriting', 'reductions', 'state-equation', 'stubborn-sets' or 'all' (unless given)",
        false, true},
    OptionRow{"check", "--no-switch", &Options::no_switch, kFree, "", kNone,
              "Of the engine lazy: never hand over to ternary; the check may then need a limit to "
              "end",
              false, true},
    OptionRow{"check", "--link", &Options::link, kFile, "FILE", kNone,
              "A further bitcode file, linked to the model; may be given again", false, true},
    OptionRow{"check", "--externals", &Options::externals, kFile, "FILE", kNone,
              "What functions outside a C or C++ program do (docs/c-programs.md)", false, true},
    OptionRow{"check", "--max-targets", &Options::max_targets, kFree, "N", kNone,
              "Targets of one indirect call that are followed", false, true},

    OptionRow{"verify", "MODEL", &Options::model, kFile, "", kNone,
              "The model; '-' is standard input", true},
    OptionRow{"verify", "CERTIFICATE", &Options::certificate, kFile, "", kNone,
              "What 'nestor check --certificate' wrote, compressed or not; '-' is standard input",
              true},
    OptionRow{"verify", "-f,--formula", &Options::formulas, kFree, "FORMULA", kNone,
              "The formula that the certificate must be about"},
    OptionRow{"verify", "--dead-ends", &Options::dead_ends, kChoice, "WHAT", kDeadEnds,
              "As given to 'nestor check'"},
    OptionRow{"verify", "--all-paths", &Options::all_paths, kFree, "", kNone,
              "The formula is an invariant of an SMV file: all paths count, fair or not, infinite "
              "or not"},
    OptionRow{"verify", "--max-states", &Options::max_states, kFree, "N", kNone,
              "Refuse a model whose states are explored and that has more of them"},
    OptionRow{"verify", "--initial", &Options::initial, kFree, "COMPONENT[:NODE]", kNone,
              "As given to 'nestor check'"},
    OptionRow{"verify", "--from", &Options::from, kFormat, "FORMAT", kNone,
              "The model's format, if its extension does not tell"},

    OptionRow{"replay", "MODEL", &Options::model, kFile, "", kNone,
              "The model; '-' is standard input", true},
    OptionRow{"replay", "FORMULA", &Options::formula, kFree, "", kNone,
              "The formula that the witness must be for", true},
    OptionRow{"replay", "WITNESS", &Options::witness, kFile, "", kNone,
              "What 'nestor check' wrote with --witness=FILE or printed with --witness --json; '-' "
              "is standard input",
              true},
    OptionRow{"replay", "--engine", &Options::engine, kEngine, "ID", kNone,
              "The engine that decides what no path can show; unless given 'reference' where the "
              "model is small, else one that did not make the witness"},
    OptionRow{"replay", "--timeout", &Options::timeout, kFree, "S", kNone,
              "Seconds that one such claim may take"},
    OptionRow{"replay", "--memory", &Options::memory, kFree, "MB", kNone,
              "Megabytes that nestor may use"},
    OptionRow{"replay", "--steps", &Options::steps, kFree, "N", kNone,
              "Steps of work that one such claim may take"},
    OptionRow{"replay", "--dead-ends", &Options::dead_ends, kChoice, "WHAT", kDeadEnds,
              "As given to 'nestor check'"},
    OptionRow{"replay", "--all-paths", &Options::all_paths, kFree, "", kNone,
              "The formula is an invariant of an SMV file: all paths count, fair or not, infinite "
              "or not"},
    OptionRow{"replay", "--initial", &Options::initial, kFree, "COMPONENT[:NODE]", kNone,
              "As given to 'nestor check'"},
    OptionRow{"replay", "--from", &Options::from, kFormat, "FORMAT", kNone,
              "The model's format, if its extension does not tell"},

    OptionRow{"label", "MODEL", &Options::model, kFile, "", kNone,
              "The model; '-' is standard input", true},
    OptionRow{"label", "-f,--formula", &Options::formulas, kFree, "FORMULA", kNone,
              "A formula of CTL; may be given several times", true},
    OptionRow{"label", "--json", &Options::json, kFree, "", kNone,
              "Print one JSON object instead of tables"},
    OptionRow{"label", "--dot", &Options::dot, kFree, "", kNone,
              "Print a graph for Graphviz instead of tables: green where the formula holds, red "
              "where it does not"},
    OptionRow{"label", "--trace", &Options::trace, kFree, "", kNone,
              "Show how the values are found: of models without calls the approximations of each "
              "fixpoint; of the engines rks and rks-incremental the order of their local checks"},
    OptionRow{"label", "--component", &Options::only_component, kFree, "NAME", kNone,
              "Tell of this component only"},
    OptionRow{"label", "--node", &Options::only_node, kFree, "NAME", kNone,
              "Tell of nodes with this name only"},
    OptionRow{"label", "--states", &Options::states, kFree, "N", kNone,
              "Tell of the first N states of a model that is explored; unless given 100 in tables "
              "and graphs, all in JSON"},
    OptionRow{"label", "--engine", &Options::engine, kEngine, "ID", kNone,
              "The engine whose values are told, if it has any; else those of the default"},
    OptionRow{"label", "--timeout", &Options::timeout, kFree, "S", kNone,
              "Seconds that a formula may take"},
    OptionRow{"label", "--memory", &Options::memory, kFree, "MB", kNone,
              "Megabytes that nestor may use"},
    OptionRow{"label", "--steps", &Options::steps, kFree, "N", kNone,
              "Steps of work that a formula may take"},
    OptionRow{"label", "--max-states", &Options::max_states, kFree, "N", kNone,
              "States that a model whose states are explored may have"},
    OptionRow{"label", "--dead-ends", &Options::dead_ends, kChoice, "WHAT", kGraphDeadEnds,
              "States without successors: 'keep' (paths end there, unless given), 'loop' (each "
              "gets a self-loop) or 'error' (refuse the model)"},
    OptionRow{
        "label", "--initial", &Options::initial, kFree, "COMPONENT[:NODE]", kNone,
        "Start in this component, at its entries or at NODE, instead of where the model says"},
    OptionRow{"label", "--from", &Options::from, kFormat, "FORMAT", kNone,
              "The model's format, if its extension does not tell"},

    OptionRow{"info", "MODEL", &Options::model, kFile, "", kNone,
              "The model; '-' is standard input", true},
    OptionRow{"info", "--json", &Options::json, kFree, "", kNone,
              "Print one JSON object instead of lines"},
    OptionRow{"info", "--max-states", &Options::max_states, kFree, "N", kNone,
              "Refuse a model whose states are explored and that has more of them"},
    OptionRow{"info", "--from", &Options::from, kFormat, "FORMAT", kNone,
              "The model's format, if its extension does not tell"},
    OptionRow{"info", "--link", &Options::link, kFile, "FILE", kNone,
              "A further bitcode file, linked to the model; may be given again", false, true},
    OptionRow{"info", "--externals", &Options::externals, kFile, "FILE", kNone,
              "What functions outside a C or C++ program do (docs/c-programs.md)", false, true},
    OptionRow{"info", "--max-targets", &Options::max_targets, kFree, "N", kNone,
              "Targets of one indirect call that are followed", false, true},

    OptionRow{"convert", "IN", &Options::model, kFile, "", kNone,
              "The model to convert; '-' is standard input", true},
    OptionRow{"convert", "-o,--output", &Options::output, kFile, "OUT", kNone,
              "The file to write; '-' is standard output", true},
    OptionRow{
        "convert", "-f,--formula", &Options::formulas, kFree, "FORMULA", kNone,
        "Label the states of a model that is explored with what this formula asks; may be given "
        "several times"},
    OptionRow{
        "convert", "--atoms", &Options::atoms, kChoice, "WHICH", kAtoms,
        "Label the states of a model that is explored with 'all' that can be asked of them, so "
        "that the graph can be asked instead of the model"},
    OptionRow{"convert", "--max-states", &Options::max_states, kFree, "N", kNone,
              "Refuse a model whose states are explored and that has more of them"},
    OptionRow{"convert", "--initial", &Options::initial, kFree, "COMPONENT[:NODE]", kNone,
              "Let the model start in this component, at its entries or at NODE"},
    OptionRow{"convert", "--from", &Options::from, kFormat, "FORMAT", kNone,
              "The format of IN, if its extension does not tell"},
    OptionRow{"convert", "--dead-ends", &Options::dead_ends, kChoice, "WHAT", kGraphDeadEnds,
              "States without successors: 'keep' (unless given), 'loop' (give each a self-loop) or "
              "'error' (refuse "
              "the model)",
              false, true},
    OptionRow{"convert", "--to", &Options::to, kFormat, "FORMAT", kNone,
              "The format of OUT, if its extension does not tell"},
    OptionRow{"convert", "--link", &Options::link, kFile, "FILE", kNone,
              "A further bitcode file, linked to the model; may be given again", false, true},
    OptionRow{"convert", "--externals", &Options::externals, kFile, "FILE", kNone,
              "What functions outside a C or C++ program do (docs/c-programs.md)", false, true},
    OptionRow{"convert", "--max-targets", &Options::max_targets, kFree, "N", kNone,
              "Targets of one indirect call that are followed", false, true},

    OptionRow{
        "generate", "WHAT", &Options::subject, kChoice, "", kGenerated,
        "rsm: a random machine; program: structured procedures; ctl: formulas; pds: a pushdown "
        "system; usedef: for each variable of MODEL the formula that what is defined can be "
        "used",
        true},
    OptionRow{"generate", "MODEL", &Options::model, kFile, "", kNone,
              "For usedef: the model, labelled def__V, use__V, usedef__V"},
    OptionRow{"generate", "-o,--output", &Options::output, kFile, "OUT", kNone,
              "The file to write; standard output unless given"},
    OptionRow{"generate", "--seed", &Options::seed, kFree, "N", kNone,
              "Another seed, another result"},
    OptionRow{"generate", "--components", &Options::components, kFree, "N", kNone,
              "rsm: components"},
    OptionRow{"generate", "--boxes", &Options::boxes, kFree, "N", kNone,
              "rsm: boxes in each component"},
    OptionRow{"generate", "--nodes", &Options::nodes, kFree, "N", kNone,
              "rsm: plain nodes in each component, 6 unless given; program: nodes in all, about, "
              "1000 unless given"},
    OptionRow{"generate", "--entries", &Options::entries, kFree, "SHARE", kNone,
              "rsm: share of the nodes that are entries, at least one"},
    OptionRow{"generate", "--exits", &Options::exits, kFree, "SHARE", kNone,
              "rsm: share of the nodes that are exits, at least one"},
    OptionRow{"generate", "--density", &Options::density, kFree, "SHARE", kNone,
              "rsm: share of the possible transitions"},
    OptionRow{"generate", "--program", &Options::program, kFree, "", kNone,
              "rsm: the same as 'generate program'"},
    OptionRow{
        "generate", "--labels", &Options::labels, kFree, "LIST", kNone,
        "rsm, program, pds: propositions and the share of the nodes or heads that carry them"},
    OptionRow{"generate", "--count", &Options::count, kFree, "N", kNone, "ctl: formulas"},
    OptionRow{"generate", "--depth", &Options::depth, kFree, "N", kNone,
              "ctl: quantifiers on the deepest branch"},
    OptionRow{"generate", "--width", &Options::width, kFree, "N", kNone,
              "ctl: most connectives between two quantifiers"},
    OptionRow{"generate", "--negation", &Options::negation, kFree, "SHARE", kNone,
              "ctl: share of the parts that are negated"},
    OptionRow{"generate", "--propositions", &Options::propositions, kFree, "LIST", kNone,
              "ctl: propositions"},
    OptionRow{"generate", "--controls", &Options::controls, kFree, "N", kNone,
              "pds: control states"},
    OptionRow{"generate", "--symbols", &Options::symbols, kFree, "N", kNone, "pds: stack symbols"},
    OptionRow{"generate", "--pops", &Options::pops, kFree, "N", kNone,
              "pds: rules that pop a symbol"},
    OptionRow{"generate", "--rewrites", &Options::rewrites, kFree, "N", kNone,
              "pds: rules that replace a symbol"},
    OptionRow{"generate", "--pushes", &Options::pushes, kFree, "N", kNone,
              "pds: rules that push a symbol"},
    OptionRow{"generate", "--from", &Options::from, kFormat, "FORMAT", kNone,
              "usedef: the format of MODEL, if its extension does not tell", false, true},
    OptionRow{"generate", "--to", &Options::to, kFormat, "FORMAT", kNone,
              "rsm, program, pds: the format of OUT, if its extension does not tell", false, true},

    OptionRow{"probe", "MODEL", &Options::model, kFile, "", kNone,
              "The model; commands come from standard input, 'help' lists them", true},
    OptionRow{
        "probe", "--initial", &Options::initial, kFree, "COMPONENT[:NODE]", kNone,
        "Start in this component, at its entries or at NODE, instead of where the model says"},
    OptionRow{"probe", "--from", &Options::from, kFormat, "FORMAT", kNone,
              "The model's format, if its extension does not tell"},
    OptionRow{
        "probe", "--dead-ends", &Options::dead_ends, kChoice, "WHAT", kGraphDeadEnds,
        "States without successors: 'keep' (paths end there, unless given), 'loop' (each gets "
        "a self-loop) or 'error' (refuse the model)"},
    OptionRow{"probe", "--max-states", &Options::max_states, kFree, "N", kNone,
              "Refuse a model whose states are explored and that has more of them"},
    OptionRow{"probe", "--timeout", &Options::timeout, kFree, "S", kNone,
              "Seconds that a formula may take"},
    OptionRow{"probe", "--steps", &Options::steps, kFree, "N", kNone,
              "Steps of work that a formula may take"},

    OptionRow{"serve", "MODEL", &Options::model, kFile, "", kNone,
              "The model; without one, examples are there to play with"},
    OptionRow{"serve", "FORMULA-FILE", &Options::formula_files, kFile, "", kNone,
              "Files with one formula a line, to begin with"},
    OptionRow{"serve", "-f,--formula", &Options::formulas, kFree, "FORMULA", kNone,
              "A formula to begin with; may be given several times"},
    OptionRow{"serve", "--port", &Options::port, kFree, "N", kNone,
              "The port to listen on; 0: one that is free"},
    OptionRow{"serve", "--listen", &Options::listen, kFree, "HOST", kNone,
              "The address or name of this machine to listen on; unless given, nobody else can "
              "connect"},
    OptionRow{"serve", "--timeout", &Options::timeout, kFree, "S", kNone,
              "Seconds that a question may take, 10 unless given"},
    OptionRow{"serve", "--memory", &Options::memory, kFree, "MB", kNone,
              "Megabytes that nestor may use, 2000 unless given; what needs more is 'unknown'"},
    OptionRow{"serve", "--max-states", &Options::max_states, kFree, "N", kNone,
              "States that a model whose states are explored may have"},
    OptionRow{"serve", "--source-root", &Options::source_root, kFile, "FOLDER", kNone,
              "Show source files below this folder; unless given, none are read"},
    OptionRow{"serve", "--dead-ends", &Options::dead_ends, kChoice, "WHAT", kDeadEnds,
              "As given to 'nestor check'"},
    OptionRow{"serve", "--from", &Options::from, kFormat, "FORMAT", kNone,
              "The model's format, if its extension does not tell"},

    OptionRow{"lint", "PROGRAM", &Options::programs, kFile, "", kNone,
              "LLVM bitcode (.bc) or assembly (.ll); several files are linked. Required, unless a "
              "rule is to be explained"},
    OptionRow{"lint", "--rules", &Options::rule_files, kFile, "FILE", kNone,
              "A file with rules, instead of those shipped; may be given again"},
    OptionRow{"lint", "--rule", &Options::rule_ids, kFree, "ID", kNone,
              "Check this rule only; may be given again"},
    OptionRow{"lint", "--all-rules", &Options::all_rules, kFree, "", kNone,
              "Check the rules, too, that are off by default"},
    OptionRow{"lint", "--explain", &Options::explain, kFree, "RULE", kNone,
              "Tell what a rule means, with an example, how to mend and how to silence what it "
              "finds; nothing is checked"},
    OptionRow{"lint", "--system-headers", &Options::system_headers, kFree, "", kNone,
              "Warn of code in the system's headers, too"},
    OptionRow{"lint", "--format", &Options::lint_format, kChoice, "FORMAT", kLintFormats,
              "text, json, sarif (SARIF 2.1.0) or junit (XML)"},
    OptionRow{"lint", "-o,--output", &Options::output, kFile, "OUT", kNone,
              "The file to write; standard output unless given"},
    OptionRow{"lint", "--shard", &Options::shard, kFree, "I/N", kNone,
              "Check the I-th of N shares of the rules and functions and write a part of the "
              "report, for 'nestor merge' (docs/batch.md)"},
    OptionRow{"lint", "--shard-costs", &Options::shard_costs, kFile, "FILE", kNone,
              "How long they took before, by 'nestor merge --costs': shares are balanced by that"},
    OptionRow{"lint", "--html", &Options::html, kFile, "FILE", kNone,
              "Write a page besides that walks through the warnings (docs/view.md)"},
    OptionRow{"lint", "--no-sources", &Options::no_sources, kFree, "", kNone,
              "Leave source files out of the page"},
    OptionRow{"lint", "--baseline", &Options::baseline, kFile, "FILE", kNone,
              "Report only warnings that are not in this file"},
    OptionRow{"lint", "--write-baseline", &Options::write_baseline, kFile, "FILE", kNone,
              "Write such a file with all warnings of this run"},
    OptionRow{"lint", "--source-root", &Options::source_root, kFile, "FOLDER", kNone,
              "Name source files relative to this folder instead of the current one"},
    OptionRow{"lint", "--externals", &Options::externals, kFile, "FILE", kNone,
              "What functions outside the program do (docs/c-programs.md)"},
    OptionRow{"lint", "--max-targets", &Options::max_targets, kFree, "N", kNone,
              "Targets of one indirect call that are followed", false, true},
    OptionRow{"lint", "--engine", &Options::engine, kEngine, "ID", kNone,
              "The engine, see 'nestor engines'", false, true},
    OptionRow{"lint", "--timeout", &Options::timeout, kFree, "SECONDS", kNone,
              "Time for each formula; a rule that needs more has no verdict"},
    OptionRow{"lint", "--memory", &Options::memory, kFree, "MB", kNone,
              "Memory for the whole process; a rule that needs more has no verdict"},
    OptionRow{"lint", "--steps", &Options::steps, kFree, "N", kNone,
              "Steps of work for each formula; a rule that needs more has no verdict"},
    OptionRow{"lint", "--jobs", &Options::jobs, kFree, "N", kNone,
              "Threads to use; 0: one for each processor", false, true},
    OptionRow{"lint", "--no-refutation", &Options::no_refutation, kFree, "", kNone,
              "Keep warnings whose paths no run can take, as Z3 finds out where Nestor is built "
              "with it"},
    OptionRow{"lint", "--value-steps", &Options::value_steps, kChoice, "LAST", kValueSteps,
              "The last step by which rules follow values, to measure what each is worth: 'none', "
              "'constants', 'outcomes', 'conditions' or 'all' (unless given)",
              false, true},
    OptionRow{"lint", "--stats", &Options::stats, kFree, "", kNone,
              "Print sizes, times and memory to standard error"},
    OptionRow{"lint", "--progress", &Options::progress, kFree, "", kNone,
              "Name each rule on standard error when it is checked, where that is no terminal; on "
              "one, a line tells how far the work has come"},
    OptionRow{"lint", "--quiet", &Options::quiet, kFree, "", kNone,
              "Neither count the warnings, nor show progress, nor say that the model "
              "over-approximates the program"},

    OptionRow{"merge", "PART", &Options::parts, kFile, "", kNone,
              "What runs with --shard wrote, all parts of one report, in any order", true},
    OptionRow{"merge", "-o,--output", &Options::output, kFile, "OUT", kNone,
              "The file to write; standard output unless given"},
    OptionRow{"merge", "--costs", &Options::costs, kFile, "FILE", kNone,
              "Write how long the pieces of the work took, for --shard-costs"},
    OptionRow{"merge", "--quiet", &Options::quiet, kFree, "", kNone,
              "Do not count the warnings of rules"},

    OptionRow{"rules", "--rules", &Options::rule_files, kFile, "FILE", kNone,
              "A file with rules, instead of those shipped; may be given again"},
    OptionRow{"rules", "--json", &Options::json, kFree, "", kNone,
              "Print one JSON object instead of lines"},

    OptionRow{"engines", "--json", &Options::json, kFree, "", kNone,
              "Print one JSON object instead of lines"},

    OptionRow{"completion", "SHELL", &Options::subject, kChoice, "", kShells,
              "The shell: bash, zsh or fish", true},

    OptionRow{"docs", "PAGE", &Options::subject, kChoice, "", kSubjects,
              "The page: cli (docs/cli.md)", true},
};

}  // namespace

std::span<const CommandRow> command_table() {
  return kCommands;
}

std::span<const OptionRow> option_table() {
  return kOptions;
}

}  // namespace nestor::driver
