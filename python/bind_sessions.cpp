// Settings, sessions, evidence, and the graph of states.

#include "bindings.h"

#include <pybind11/numpy.h>

using namespace nestor;

namespace {

std::optional<DeadEnds> dead_ends_named(const std::string& wanted) {
  constexpr std::pair<std::string_view, DeadEnds> kDeadEnds[] = {{"keep", DeadEnds::Keep},
                                                                 {"loop", DeadEnds::Loop},
                                                                 {"error", DeadEnds::Error},
                                                                 {"infinite", DeadEnds::Infinite}};
  for (const auto& [name, value] : kDeadEnds) {
    if (wanted == name) {
      return value;
    }
  }
  if (!wanted.empty()) {
    throw Error(Error::Kind::Usage,
                "dead_ends is '" + wanted + "', expected keep, loop, error or infinite");
  }
  return std::nullopt;
}

/// What a function of Python's raises is told, and does not end the check.
std::function<void(const Progress&)> reporter(py::object progress) {
  if (progress.is_none()) {
    return {};
  }
  return [progress = std::move(progress)](const Progress& p) {
    const py::gil_scoped_acquire acquire;
    try {
      progress(p.work == Progress::Work::Exploring ? "exploring" : "deciding", p.done, p.known);
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable("nestor progress");
    }
  };
}

/// A session that Ctrl-C can end.
class PySession {
 public:
  PySession(const Model& model, Settings settings)
      : cancelled_(std::make_shared<std::atomic<bool>>()) {
    settings.limits.cancelled = cancelled_.get();
    session_.emplace(model, std::move(settings));
  }

  Session& session() { return *session_; }
  /// What `work` finds, unless Ctrl-C ends it.
  template <class Work>
  auto run(Work work) {
    return interruptible(*cancelled_, [&] { return work(*session_); });
  }

 private:
  std::shared_ptr<std::atomic<bool>> cancelled_;
  std::optional<Session> session_;
};

Result verdict_of(PySession& own, std::size_t question) {
  if (own.session().is_decided(question)) {
    return own.session().verdict(question);
  }
  return own.run([question](Session& session) { return session.verdict(question); });
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

}  // namespace

void bind_settings(py::module_& module) {
  py::class_<Settings>(module, "Settings")
      .def(py::init([](const std::string& engine, std::optional<double> timeout,
                       std::optional<std::size_t> memory, std::optional<std::uint64_t> steps,
                       std::optional<std::uint64_t> max_states, const std::string& dead_ends,
                       unsigned jobs, std::uint64_t seed, bool evidence, bool all_paths,
                       py::object progress) {
             Settings settings;
             settings.engine = engine;
             settings.limits.seconds = timeout;
             settings.limits.megabytes = memory;
             settings.limits.steps = steps;
             settings.limits.states = max_states;
             settings.dead_ends = dead_ends_named(dead_ends);
             settings.jobs = jobs;
             settings.seed = seed;
             settings.wants_evidence = evidence;
             settings.all_paths = all_paths;
             settings.progress = reporter(std::move(progress));
             return settings;
           }),
           py::kw_only(), py::arg("engine") = "", py::arg("timeout") = py::none(),
           py::arg("memory") = py::none(), py::arg("steps") = py::none(),
           py::arg("max_states") = py::none(), py::arg("dead_ends") = "", py::arg("jobs") = 1,
           py::arg("seed") = 1, py::arg("evidence") = false, py::arg("all_paths") = false,
           py::arg("progress") = py::none());
}

void bind_evidence(py::module_& module) {
  py::class_<Witness::Step>(module, "Step")
      .def_readonly("procedure", &Witness::Step::procedure)
      .def_readonly("node", &Witness::Step::node)
      .def_readonly("depth", &Witness::Step::depth)
      .def_readonly("labels", &Witness::Step::labels)
      .def_readonly("file", &Witness::Step::file)
      .def_readonly("line", &Witness::Step::line)
      .def_readonly("how", &Witness::Step::how)
      .def_readonly("transition", &Witness::Step::transition)
      .def_property_readonly("binding",
                             [](const Witness::Step& step) {
                               py::dict values;
                               for (const Witness::Step::Value& value : step.binding) {
                                 values[py::str(value.variable)] = value.value;
                               }
                               return values;
                             })
      .def_readonly("change", &Witness::Step::change);
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
      .def("__str__", [](const Witness& witness) { return witness.text(); })
      .def("json", &Witness::json)
      .def("dot", &Witness::dot, py::arg("title") = "");
  py::class_<Labelling>(module, "Labelling")
      .def_property_readonly("rows", &Labelling::rows)
      .def_property_readonly("instances",
                             [](const Labelling& labelling) {
                               return list_of(
                                   labelling.instances(), [](const Labelling::Instance& i) {
                                     return py::make_tuple(i.procedure, i.first_row, i.rows);
                                   });
                             })
      .def("__len__", &Labelling::size)
      .def("subformula", &Labelling::subformula)
      .def("words", &words_of)
      .def("value", &Labelling::value);
}

void bind_sessions(py::module_& module) {
  py::class_<Result>(module, "Verdict")
      .def_property_readonly("verdict", [](const Result& r) { return to_string(r.verdict); })
      .def_readonly("reason", &Result::reason)
      .def_readonly("seconds", &Result::seconds)
      .def_readonly("contexts", &Result::contexts)
      .def_readonly("how", &Result::how)
      .def_property_readonly("engine", [](const Result& r) { return std::string(r.engine); });
  py::class_<PySession>(module, "Session")
      .def(py::init<const Model&, Settings>(), py::arg("model"), py::arg("settings") = Settings())
      .def("ask", [](PySession& own, const Formula& formula) { return own.session().ask(formula); })
      .def("verdict", &verdict_of)
      .def("formula", [](PySession& own, std::size_t q) { return own.session().formula(q); })
      .def("witness",
           [](PySession& own, std::size_t q) {
             return pair_of(own.run([q](Session& s) { return s.witness(q); }));
           })
      .def("labelling",
           [](PySession& own, std::size_t q) {
             return pair_of(own.run([q](Session& s) { return s.labelling(q); }));
           })
      .def("certificate",
           [](PySession& own, std::size_t q) {
             return pair_of(own.run([q](Session& s) { return s.certificate(q); }));
           })
      .def("not_certifiable",
           [](PySession& own, std::size_t q) {
             return own.run([q](Session& s) { return s.not_certifiable(q); });
           })
      .def("warnings",
           [](PySession& own) { return own.run([](Session& s) { return s.warnings(); }); })
      .def("later_warnings",
           [](PySession& own) { return own.run([](Session& s) { return s.later_warnings(); }); })
      .def("engine", [](PySession& own) { return own.session().engine(); })
      .def("statistics", [](PySession& own) {
        const Statistics statistics = own.session().statistics();
        return py::make_tuple(statistics.counters, statistics.seconds);
      });
}

void bind_state_graph(py::module_& module) {
  using State = StateGraph::State;
  py::class_<State>(module, "State")
      .def_readonly("calls", &State::calls)
      .def_readonly("node", &State::node)
      .def("__eq__", [](const State& one, const State& other) { return one == other; })
      .def("__lt__", [](const State& one, const State& other) { return one < other; })
      .def("__hash__", [](const State& s) {
        return py::hash(py::make_tuple(py::tuple(py::cast(s.calls)), s.node));
      });
  const auto pair_of_path = [](Answer<StateGraph::Path> found) {
    return found ? py::make_tuple(found->states, found->says)
                 : py::make_tuple(py::none(), found.reason);
  };
  py::class_<StateGraph>(module, "StateGraph")
      .def(py::init([](const Model& model, const Settings& settings) {
        const py::gil_scoped_release release;
        return StateGraph(model, settings);
      }))
      .def_property_readonly("is_flat", &StateGraph::is_flat)
      .def("initial", &StateGraph::initial)
      .def("successors", &StateGraph::successors)
      .def("describe", &StateGraph::describe)
      .def("labels", &StateGraph::labels)
      .def("predecessors", &StateGraph::predecessors)
      .def("reachable", &StateGraph::reachable, py::call_guard<py::gil_scoped_release>())
      .def("strong_components",
           [](const StateGraph& graph) {
             return list_of(graph.strong_components(), [](const StateGraph::StrongComponent& c) {
               return py::make_tuple(c.size, c.first, c.is_left, c.is_loop);
             });
           })
      .def("check", &StateGraph::check, py::call_guard<py::gil_scoped_release>())
      .def("shortest_path",
           [pair_of_path](StateGraph& graph, const State& from, const Formula& goal) {
             return pair_of_path(graph.shortest_path(from, goal));
           })
      .def("explain",
           [pair_of_path](StateGraph& graph, const Formula& formula, const State& state) {
             return pair_of_path(graph.explain(formula, state));
           });
}
