// Random models and formulas.

#include "bindings.h"

using namespace nestor;

namespace {

/// name -> share
template <class Options>
void bind_labels(py::class_<Options>& bound) {
  bound.def_property(
      "labels",
      [](const Options& options) {
        py::dict labels;
        for (const LabelShare& label : options.labels) {
          labels[py::str(label.name)] = label.share;
        }
        return labels;
      },
      [](Options& options, const py::dict& labels) {
        options.labels.clear();
        for (const auto& [name, share] : labels) {
          options.labels.push_back({py::cast<std::string>(name), py::cast<double>(share)});
        }
      });
}

}  // namespace

void bind_generators(py::module_& module) {
  py::class_<RandomRsmOptions> rsm(module, "RandomRsmOptions");
  rsm.def(py::init())
      .def_readwrite("components", &RandomRsmOptions::components)
      .def_readwrite("boxes", &RandomRsmOptions::boxes)
      .def_readwrite("nodes", &RandomRsmOptions::nodes)
      .def_readwrite("entries", &RandomRsmOptions::entries)
      .def_readwrite("exits", &RandomRsmOptions::exits)
      .def_readwrite("density", &RandomRsmOptions::density)
      .def_readwrite("hierarchical", &RandomRsmOptions::hierarchical)
      .def_readwrite("entries_may_exit", &RandomRsmOptions::entries_may_exit)
      .def_readwrite("into_entries", &RandomRsmOptions::into_entries)
      .def_readwrite("exits_go_on", &RandomRsmOptions::exits_go_on)
      .def_readwrite("some_never_exit", &RandomRsmOptions::some_never_exit)
      .def_readwrite("dead_ends", &RandomRsmOptions::dead_ends)
      .def_readwrite("forward", &RandomRsmOptions::forward)
      .def_readwrite("any_initial_nodes", &RandomRsmOptions::any_initial_nodes);
  bind_labels(rsm);
  py::class_<RandomProgramOptions> program(module, "RandomProgramOptions");
  program.def(py::init())
      .def_readwrite("nodes", &RandomProgramOptions::nodes)
      .def_readwrite("least_procedure", &RandomProgramOptions::least_procedure)
      .def_readwrite("largest_procedure", &RandomProgramOptions::largest_procedure)
      .def_readwrite("most_exits", &RandomProgramOptions::most_exits)
      .def_readwrite("recursion", &RandomProgramOptions::recursion);
  bind_labels(program);
  py::class_<RandomPushdownOptions> pushdown(module, "RandomPushdownOptions");
  pushdown.def(py::init())
      .def_readwrite("controls", &RandomPushdownOptions::controls)
      .def_readwrite("symbols", &RandomPushdownOptions::symbols)
      .def_readwrite("pops", &RandomPushdownOptions::pops)
      .def_readwrite("rewrites", &RandomPushdownOptions::rewrites)
      .def_readwrite("pushes", &RandomPushdownOptions::pushes);
  bind_labels(pushdown);
  py::class_<RandomFormulaOptions>(module, "RandomFormulaOptions")
      .def(py::init())
      .def_readwrite("quantifier_depth", &RandomFormulaOptions::quantifier_depth)
      .def_readwrite("width", &RandomFormulaOptions::width)
      .def_readwrite("negation", &RandomFormulaOptions::negation)
      .def_readwrite("propositions", &RandomFormulaOptions::propositions);
  module.def("random_rsm", &random_rsm);
  module.def("random_program", &random_program);
  module.def("random_pushdown", &random_pushdown);
  module.def("random_formulas", &random_formulas);
  module.def("use_def_formulas", [](const std::string& path, const std::string& format) {
    ModelSource source{.path = path};
    source.format = format;
    return use_def_formulas(source);
  });
}
