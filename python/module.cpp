// The C++ library as the Python module nestor._nestor; what is Pythonic is in nestor/__init__.py.

#include "states_of_objects.h"

#include <chrono>
#include <future>
#include <nestor/nestor.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace nestor;

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};  // for signals

/// Runs `work` in a thread, without the interpreter's lock. Whatever signal comes meanwhile is
/// handled; if its handler raises, as that of Ctrl-C does, the work is cancelled.
template <class Work>
auto interruptible(std::atomic<bool>& cancelled, Work work) {
  cancelled = false;
  auto result = std::async(std::launch::async, std::move(work));
  bool is_interrupted = false;
  {
    const py::gil_scoped_release release;
    while (result.wait_for(kBetweenLooks) != std::future_status::ready) {
      const py::gil_scoped_acquire acquire;
      if (!is_interrupted && PyErr_CheckSignals() != 0) {
        is_interrupted = true;
        cancelled = true;
      }
      if (is_interrupted && PyErr_Occurred() != nullptr) {
        PyErr_Clear();  // raised anew when the work has ended
      }
    }
  }
  if (is_interrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
  return result.get();
}

/// A session that Ctrl-C can end.
class PySession {
 public:
  PySession(const Model& model, Settings settings)
      : cancelled_(std::make_shared<std::atomic<bool>>()) {
    settings.limits.cancelled = cancelled_.get();
    session_.emplace(model, std::move(settings));
  }

  std::size_t ask(const Formula& formula) { return session_->ask(formula); }
  Result verdict(std::size_t q) {
    if (session_->is_decided(q)) {
      return session_->verdict(q);
    }
    return interruptible(*cancelled_, [&] { return session_->verdict(q); });
  }
  Answer<Witness> witness(std::size_t q) {
    return interruptible(*cancelled_, [&] { return session_->witness(q); });
  }
  Answer<Labelling> labelling(std::size_t q) {
    return interruptible(*cancelled_, [&] { return session_->labelling(q); });
  }
  Answer<std::string> certificate(std::size_t q) {
    return interruptible(*cancelled_, [&] { return session_->certificate(q); });
  }
  std::vector<std::string> warnings() {
    return interruptible(*cancelled_, [&] { return session_->warnings(); });
  }
  const Formula& formula(std::size_t q) const { return session_->formula(q); }
  std::string engine() { return session_->engine(); }
  Statistics statistics() const { return session_->statistics(); }

 private:
  std::shared_ptr<std::atomic<bool>> cancelled_;
  std::optional<Session> session_;
};

/// (value or None, reason)
template <class T>
py::tuple pair_of(Answer<T> answer) {
  return py::make_tuple(std::move(answer.value), answer.reason);
}

Settings settings_of(const std::string& engine, std::optional<double> timeout,
                     std::optional<std::size_t> memory, std::optional<std::uint64_t> steps,
                     std::optional<std::uint64_t> max_states, const std::string& dead_ends,
                     unsigned jobs, std::uint64_t seed, bool evidence,
                     std::function<void(const Progress&)> progress) {
  Settings settings;
  settings.engine = engine;
  settings.limits.seconds = timeout;
  settings.limits.megabytes = memory;
  settings.limits.steps = steps;
  settings.limits.states = max_states;
  constexpr std::pair<std::string_view, DeadEnds> kDeadEnds[] = {{"keep", DeadEnds::Keep},
                                                                 {"loop", DeadEnds::Loop},
                                                                 {"error", DeadEnds::Error},
                                                                 {"infinite", DeadEnds::Infinite}};
  for (const auto& [name, value] : kDeadEnds) {
    if (dead_ends == name) {
      settings.dead_ends = value;
    }
  }
  if (!dead_ends.empty() && !settings.dead_ends) {
    throw Error(Error::Kind::Usage,
                "dead_ends is '" + dead_ends + "', expected keep, loop, error or infinite");
  }
  settings.jobs = jobs;
  settings.seed = seed;
  settings.wants_evidence = evidence;
  settings.progress = std::move(progress);
  return settings;
}

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

/// Raises nestor.Error, with the place as attributes.
void translate_errors(py::module_& module) {
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

/// The words of a labelling as an array that looks at them where they are.
py::array words_of(const Labelling& labelling, std::size_t number) {
  const std::span<const std::uint64_t> words = labelling.words(number);
  py::capsule owner(new Labelling(labelling),
                    [](void* kept) { delete static_cast<Labelling*>(kept); });
  py::array_t<std::uint64_t> array(static_cast<py::ssize_t>(words.size()), words.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

void bind_formulas(py::module_& module) {
  py::class_<Formula>(module, "Formula")
      .def(py::init([](const std::string& text) { return Formula::parse(text); }))
      .def_static("read", &Formula::read)
      .def_static("parse_lines", &Formula::parse_lines, py::arg("text"),
                  py::arg("file") = "<formulas>")
      .def_static("constant", &Formula::constant)
      .def_static("atom", &Formula::atom)
      .def_static("unary", &Formula::unary)
      .def_static("binary", &Formula::binary)
      .def_property_readonly("op", &Formula::op)
      .def_property_readonly("proposition", &Formula::proposition)
      .def_property_readonly("operands", &Formula::operands)
      .def_property_readonly("name", &Formula::name)
      .def_property_readonly("text", &Formula::text)
      .def_property_readonly("unsupported", &Formula::unsupported)
      .def("named", &Formula::named)
      .def("__str__", &Formula::to_string)
      .def("__eq__", [](const Formula& one, const Formula& other) { return one == other; })
      .def("__hash__", [](const Formula& f) { return py::hash(py::str(f.to_string())); });
}

void bind_models(py::module_& module) {
  py::class_<Component::Node>(module, "Node")
      .def_readonly("name", &Component::Node::name)
      .def_readonly("is_entry", &Component::Node::is_entry)
      .def_readonly("is_exit", &Component::Node::is_exit)
      .def_readonly("labels", &Component::Node::labels)
      .def_readonly("file", &Component::Node::file)
      .def_readonly("line", &Component::Node::line);
  py::class_<Component>(module, "Component")
      .def_readonly("name", &Component::name)
      .def_readonly("nodes", &Component::nodes)
      .def_property_readonly("boxes",
                             [](const Component& c) {
                               py::dict boxes;
                               for (const Component::Box& box : c.boxes) {
                                 boxes[py::str(box.name)] = box.callee;
                               }
                               return boxes;
                             })
      .def_property_readonly("transitions", [](const Component& c) {
        py::list all;
        for (const Component::Transition& t : c.transitions) {
          all.append(py::make_tuple(py::make_tuple(t.from.box, t.from.node),
                                    py::make_tuple(t.to.box, t.to.node)));
        }
        return all;
      });
  py::class_<Model>(module, "Model")
      .def_static(
          "read",
          [](const std::string& path, const std::string& format, const std::string& dead_ends,
             std::optional<double> timeout, std::optional<std::uint64_t> max_states) {
            ModelSource source{.path = path};
            source.format = format;
            const Settings settings =
                settings_of("", timeout, {}, {}, max_states, dead_ends, 1, 1, false, {});
            const py::gil_scoped_release release;
            return Model::read(source, settings);
          },
          py::arg("path"), py::arg("format") = "", py::arg("dead_ends") = "",
          py::arg("timeout") = py::none(), py::arg("max_states") = py::none())
      .def_static(
          "parse",
          [](const std::string& text, const std::string& format, const std::string& name) {
            const py::gil_scoped_release release;
            return Model::parse(text, format, name);
          },
          py::arg("text"), py::arg("format") = "rsm", py::arg("name") = "<model>")
      .def_static("_of_states",
                  [](py::object initial, py::object successors, py::object labels,
                     std::vector<std::string> propositions, const std::string& name) {
                    return Model::of(std::make_unique<StatesOfObjects>(
                                         std::move(initial), std::move(successors),
                                         std::move(labels), std::move(propositions)),
                                     name);
                  })
      .def_property_readonly("name", &Model::name)
      .def_property_readonly("properties", &Model::properties)
      .def_property_readonly("warnings", &Model::warnings)
      .def_property_readonly("is_explored", &Model::is_explored)
      .def(
          "explore",
          [](Model& model, const std::optional<std::vector<std::string>>& propositions,
             std::optional<double> timeout, std::optional<std::uint64_t> max_states) {
            const Settings settings =
                settings_of("", timeout, {}, {}, max_states, "", 1, 1, false, {});
            const py::gil_scoped_release release;
            model.explore(settings, propositions);
          },
          py::arg("propositions") = py::none(), py::arg("timeout") = py::none(),
          py::arg("max_states") = py::none())
      .def("components", &Model::components, py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("initial_component", &Model::initial_component,
                             py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("initial_nodes", &Model::initial_nodes,
                             py::call_guard<py::gil_scoped_release>())
      .def("write", &Model::write, py::arg("format") = "rsm",
           py::call_guard<py::gil_scoped_release>())
      .def("info", [](Model& model) {
        ModelInfo i;
        {
          const py::gil_scoped_release release;
          i = model.info();
        }
        return py::dict(
            py::arg("model") = i.name, py::arg("format") = i.format,
            py::arg("components") = i.components, py::arg("nodes") = i.nodes,
            py::arg("boxes") = i.boxes, py::arg("transitions") = i.transitions,
            py::arg("propositions") = i.propositions, py::arg("recursive") = i.recursive,
            py::arg("initial_component") = i.initial_component,
            py::arg("initial_nodes") = i.initial_nodes, py::arg("dead_ends") = i.dead_ends.count);
      });
}

void bind_builder(py::module_& module) {
  py::class_<ModelBuilder>(module, "ModelBuilder")
      .def(py::init<std::string>(), py::arg("name") = "<model>")
      .def("component", &ModelBuilder::component, py::return_value_policy::reference_internal)
      .def(
          "node",
          [](ModelBuilder& builder, const std::string& name, bool entry, bool exit,
             std::vector<std::string> labels, const std::string& file,
             std::uint32_t line) -> ModelBuilder& {
            return builder.node({name, entry, exit, std::move(labels), file, line});
          },
          py::arg("name"), py::arg("entry") = false, py::arg("exit") = false,
          py::arg("labels") = std::vector<std::string>(), py::arg("file") = "", py::arg("line") = 0,
          py::return_value_policy::reference_internal)
      .def("box", &ModelBuilder::box, py::arg("name"), py::arg("callee"),
           py::return_value_policy::reference_internal)
      .def("_transition",
           [](ModelBuilder& builder, const std::string& from_box, const std::string& from,
              const std::string& to_box, const std::string& to) {
             builder.transition({from_box, from}, {to_box, to});
           })
      .def("initial_component", &ModelBuilder::initial_component,
           py::return_value_policy::reference_internal)
      .def("initial_node", &ModelBuilder::initial_node, py::return_value_policy::reference_internal)
      .def("finish", [](ModelBuilder& builder) { return builder.finish(); });
}

void bind_evidence(py::module_& module) {
  py::class_<Witness::Step>(module, "Step")
      .def_readonly("procedure", &Witness::Step::procedure)
      .def_readonly("node", &Witness::Step::node)
      .def_readonly("depth", &Witness::Step::depth)
      .def_readonly("labels", &Witness::Step::labels)
      .def_readonly("file", &Witness::Step::file)
      .def_readonly("line", &Witness::Step::line)
      .def_readonly("how", &Witness::Step::how);
  py::class_<Witness::Piece>(module, "Piece")
      .def_readonly("formula", &Witness::Piece::formula)
      .def_readonly("holds", &Witness::Piece::holds)
      .def_readonly("kind", &Witness::Piece::kind)
      .def_readonly("ending", &Witness::Piece::ending)
      .def_readonly("path", &Witness::Piece::path)
      .def_readonly("loop", &Witness::Piece::loop)
      .def_readonly("parts", &Witness::Piece::parts)
      .def_readonly("along", &Witness::Piece::along);
  py::class_<Witness>(module, "Witness")
      .def_property_readonly("holds", &Witness::holds)
      .def_property_readonly("engine", &Witness::engine)
      .def_property_readonly("steps", &Witness::steps)
      .def_property_readonly("roots", &Witness::roots)
      .def("piece", &Witness::piece)
      .def("__len__", [](const Witness& witness) { return witness.steps().size(); })
      .def("__iter__", [](const Witness& witness) { return py::iter(py::cast(witness.steps())); })
      .def("__str__", &Witness::text)
      .def("json", &Witness::json)
      .def("dot", &Witness::dot, py::arg("title") = "");
  py::class_<Labelling>(module, "Labelling")
      .def_property_readonly("rows", &Labelling::rows)
      .def_property_readonly("instances",
                             [](const Labelling& labelling) {
                               py::list all;
                               for (const Labelling::Instance& i : labelling.instances()) {
                                 all.append(py::make_tuple(i.procedure, i.first_row, i.rows));
                               }
                               return all;
                             })
      .def("__len__", &Labelling::size)
      .def("subformula", &Labelling::subformula)
      .def("words", &words_of)
      .def("value", &Labelling::value);
}

void bind_sessions(py::module_& module) {
  py::class_<Settings>(module, "Settings")
      .def(py::init([](const std::string& engine, std::optional<double> timeout,
                       std::optional<std::size_t> memory, std::optional<std::uint64_t> steps,
                       std::optional<std::uint64_t> max_states, const std::string& dead_ends,
                       unsigned jobs, std::uint64_t seed, bool evidence, py::object progress) {
             std::function<void(const Progress&)> report;
             if (!progress.is_none()) {
               report = [progress](const Progress& p) {
                 const py::gil_scoped_acquire acquire;
                 try {
                   progress(p.work == Progress::Work::Exploring ? "exploring" : "deciding", p.done,
                            p.known);
                 } catch (py::error_already_set& error) {
                   error.discard_as_unraisable("nestor progress");
                 }
               };
             }
             return settings_of(engine, timeout, memory, steps, max_states, dead_ends, jobs, seed,
                                evidence, std::move(report));
           }),
           py::kw_only(), py::arg("engine") = "", py::arg("timeout") = py::none(),
           py::arg("memory") = py::none(), py::arg("steps") = py::none(),
           py::arg("max_states") = py::none(), py::arg("dead_ends") = "", py::arg("jobs") = 1,
           py::arg("seed") = 1, py::arg("evidence") = false, py::arg("progress") = py::none());
  py::class_<PySession>(module, "Session")
      .def(py::init<const Model&, Settings>(), py::arg("model"), py::arg("settings") = Settings())
      .def("ask", &PySession::ask)
      .def("verdict",
           [](PySession& session, std::size_t question) {
             const Result result = session.verdict(question);
             return py::make_tuple(to_string(result.verdict), result.reason, result.seconds,
                                   result.contexts);
           })
      .def("formula", &PySession::formula, py::return_value_policy::copy)
      .def("witness", [](PySession& s, std::size_t q) { return pair_of(s.witness(q)); })
      .def("labelling", [](PySession& s, std::size_t q) { return pair_of(s.labelling(q)); })
      .def("certificate", [](PySession& s, std::size_t q) { return pair_of(s.certificate(q)); })
      .def("warnings", &PySession::warnings)
      .def("engine", &PySession::engine)
      .def("statistics", [](const PySession& session) {
        const Statistics statistics = session.statistics();
        return py::make_tuple(statistics.counters, statistics.seconds);
      });
}

void bind_checks(py::module_& module) {
  module.def("verify", [](const Model& model, const std::string& certificate,
                          const std::optional<Formula>& formula) {
    const py::gil_scoped_release release;
    const Verification v = verify(model, {.text = certificate}, formula ? &*formula : nullptr);
    return std::make_tuple(v.accepted, v.holds, v.line, v.why);
  });
  module.def("replay", [](const Model& model, const Formula& formula, const std::string& witness) {
    const py::gil_scoped_release release;
    const Replay r = replay(model, formula, {.text = witness});
    return std::make_tuple(r.outcome == Replay::Outcome::Accepted   ? "accepted"
                           : r.outcome == Replay::Outcome::Rejected ? "rejected"
                                                                    : "unknown",
                           r.holds, r.reason);
  });
  module.def("engines", [] {
    py::dict all;
    for (const Engine& engine : engines()) {
      all[py::str(engine.id)] = engine.description;
    }
    return all;
  });
  module.def("formats", [] {
    py::dict all;
    for (const Format& format : formats()) {
      all[py::str(format.id)] = format.description;
    }
    return all;
  });
  module.def(
      "rules",
      [](const std::vector<std::string>& files) {
        py::dict all;
        for (const Rule& rule : rules(files)) {
          all[py::str(rule.id)] = rule.title;
        }
        return all;
      },
      py::arg("files") = std::vector<std::string>());
  module.attr("version") = version();
  module.attr("has_llvm") = has_llvm();
}

void bind_rules(py::module_& module) {
  py::class_<LintReport::Warning>(module, "Warning")
      .def_readonly("rule", &LintReport::Warning::rule)
      .def_readonly("severity", &LintReport::Warning::severity)
      .def_readonly("file", &LintReport::Warning::file)
      .def_readonly("line", &LintReport::Warning::line)
      .def_readonly("column", &LintReport::Warning::column)
      .def_readonly("function", &LintReport::Warning::function)
      .def_readonly("message", &LintReport::Warning::message)
      .def_readonly("fingerprint", &LintReport::Warning::fingerprint);
  module.def(
      "lint",
      [](const std::vector<std::string>& programs, const std::vector<std::string>& rule_ids,
         const std::vector<std::string>& rule_files) {
        LintRequest request;
        request.programs = programs;
        request.rule_ids = rule_ids;
        request.rule_files = rule_files;
        const py::gil_scoped_release release;
        return check_rules(request).warnings();
      },
      py::arg("programs"), py::arg("rules") = std::vector<std::string>(),
      py::arg("rule_files") = std::vector<std::string>());
}

}  // namespace

PYBIND11_MODULE(_nestor, module) {
  translate_errors(module);
  bind_formulas(module);
  bind_models(module);
  bind_builder(module);
  bind_evidence(module);
  bind_sessions(module);
  bind_checks(module);
  bind_rules(module);
}
