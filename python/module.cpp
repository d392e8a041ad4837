// The C++ library as the Python module nestor._nestor; what is Pythonic is in the package nestor.

#include "bindings.h"

using namespace nestor;

namespace {

const char* kind_name(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::Usage:
      return "usage";
    case Error::Kind::Input:
      return "input";
    case Error::Kind::Unsupported:
      return "unsupported";
    case Error::Kind::System:
      break;
  }
  return "system";
}

const char* outcome_name(Replay::Outcome outcome) {
  return outcome == Replay::Outcome::Accepted   ? "accepted"
         : outcome == Replay::Outcome::Rejected ? "rejected"
                                                : "unknown";
}

}  // namespace

/// Raises nestor.Error, with the place as attributes.
void bind_errors(py::module_& module) {
  static PyObject* const error_class = PyErr_NewException("nestor.Error", nullptr, nullptr);
  module.attr("Error") = py::reinterpret_borrow<py::object>(error_class);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      const py::object raised = py::reinterpret_borrow<py::object>(error_class)(error.what());
      raised.attr("kind") = kind_name(error.kind());
      raised.attr("message") = error.message();
      raised.attr("file") = error.location().file;
      raised.attr("line") = error.location().line;
      raised.attr("column") = error.location().column;
      PyErr_SetObject(error_class, raised.ptr());
    }
  });
}

PYBIND11_MODULE(_nestor, module) {
  bind_errors(module);
  bind_formulas(module);
  bind_settings(module);
  bind_models(module);
  bind_evidence(module);
  bind_sessions(module);
  bind_state_graph(module);
  bind_generators(module);
  bind_rules(module);
  module.def("verify", [](const Model& model, const std::string& certificate,
                          const std::optional<Formula>& formula, const Settings& settings) {
    const py::gil_scoped_release release;
    const Verification v =
        verify(model, {.text = certificate}, formula ? &*formula : nullptr, settings);
    return std::make_tuple(v.accepted, v.holds, v.line, v.why);
  });
  module.def("replay", [](const Model& model, const Formula& formula, const std::string& witness,
                          const Settings& settings) {
    const py::gil_scoped_release release;
    const Replay r = replay(model, formula, {.text = witness}, settings);
    return std::make_tuple(outcome_name(r.outcome), r.holds, r.reason);
  });
  module.def("engines", [] {
    return dict_by_id(engines(), [](const Engine& engine) { return engine.description; });
  });
  module.def("formats", [] {
    return dict_by_id(formats(), [](const Format& format) { return format.description; });
  });
  module.attr("version") = version();
  module.attr("has_llvm") = has_llvm();
}
