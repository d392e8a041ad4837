// Formulas and models.

#include "bindings.h"
#include "states_of_objects.h"

using namespace nestor;

void bind_formulas(py::module_& module) {
  py::class_<Formula>(module, "Formula")
      .def(py::init([](const std::string& text) { return Formula::parse(text); }))
      .def_static("read", &Formula::read)
      .def_static("parse_lines", &Formula::parse_lines, py::arg("text"),
                  py::arg("file") = "<formulas>")
      .def_static("parse_mu", &Formula::parse_mu, py::arg("text"), py::arg("name") = "<mu>")
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

namespace {

py::tuple pair_of_end(const End& end) {
  return py::make_tuple(end.box, end.node);
}

py::tuple pair_of_odd(const ModelInfo::Odd& odd) {
  return py::make_tuple(odd.count, odd.first);
}

/// The members of `nestor info --json`, and `oddities` as (count, first).
py::dict info_of(Model& model) {
  ModelInfo i;
  {
    const py::gil_scoped_release release;
    i = model.info();
  }
  py::dict info(py::arg("model") = i.name, py::arg("format") = i.format,
                py::arg("components") = i.components, py::arg("nodes") = i.nodes,
                py::arg("plain_nodes") = i.plain_nodes, py::arg("call_nodes") = i.call_nodes,
                py::arg("return_nodes") = i.return_nodes, py::arg("boxes") = i.boxes,
                py::arg("transitions") = i.transitions, py::arg("propositions") = i.propositions,
                py::arg("initial_component") = i.initial_component,
                py::arg("initial_nodes") = i.initial_nodes, py::arg("entries") = i.entries,
                py::arg("max_entries") = i.max_entries, py::arg("exits") = i.exits,
                py::arg("max_exits") = i.max_exits, py::arg("recursive") = i.recursive,
                py::arg("strong_components") = i.strong_components,
                py::arg("largest_strong_component") = i.largest_strong_component,
                py::arg("memory_bytes") = i.memory_bytes);
  info["oddities"] =
      py::dict(py::arg("unreachable_components") = i.unreachable_components,
               py::arg("dead_ends") = pair_of_odd(i.dead_ends),
               py::arg("entry_exits") = pair_of_odd(i.entry_exits),
               py::arg("transitions_into_entries") = pair_of_odd(i.transitions_into_entries),
               py::arg("exits_going_on") = pair_of_odd(i.exits_going_on),
               py::arg("boxes_missing_returns") = pair_of_odd(i.boxes_missing_returns));
  return info;
}

void bind_components(py::module_& module) {
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
        return list_of(c.transitions, [](const Component::Transition& t) {
          return py::make_tuple(pair_of_end(t.from), pair_of_end(t.to));
        });
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
      .def("finish", [](ModelBuilder& builder, const Settings& settings) {
        return builder.finish(settings.dead_ends.value_or(DeadEnds::Keep));
      });
}

}  // namespace

void bind_models(py::module_& module) {
  bind_components(module);
  py::class_<Model>(module, "Model")
      .def_static(
          "read",
          [](const std::string& path, const std::string& format, std::vector<std::string> link,
             const std::string& externals, std::size_t max_targets, const Settings& settings) {
            ModelSource source{.path = path};
            source.format = format;
            source.link = std::move(link);
            source.externals = externals;
            source.most_targets = max_targets;
            const py::gil_scoped_release release;
            return Model::read(source, settings);
          })
      .def_static("parse",
                  [](const std::string& text, const std::string& format, const std::string& name,
                     const Settings& settings) {
                    const py::gil_scoped_release release;
                    return Model::parse(text, format, name, settings);
                  })
      .def_static("_of_states",
                  [](py::object initial, py::object successors, py::object labels,
                     std::vector<std::string> propositions, const std::string& name,
                     const Settings& settings) {
                    return Model::of(std::make_unique<StatesOfObjects>(
                                         std::move(initial), std::move(successors),
                                         std::move(labels), std::move(propositions)),
                                     name, settings.dead_ends.value_or(DeadEnds::Keep));
                  })
      .def_property_readonly("name", &Model::name)
      .def_property_readonly("properties", &Model::properties)
      .def_property_readonly("warnings", &Model::warnings)
      .def_property_readonly("is_explored", &Model::is_explored)
      .def("explore",
           [](Model& model, const std::optional<std::vector<std::string>>& propositions,
              const Settings& settings) {
             const py::gil_scoped_release release;
             model.explore(settings, propositions);
           })
      .def("components", &Model::components, py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("initial_component", &Model::initial_component,
                             py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("initial_nodes", &Model::initial_nodes,
                             py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("propositions", &Model::propositions,
                             py::call_guard<py::gil_scoped_release>())
      .def("write", &Model::write, py::arg("format") = "rsm",
           py::call_guard<py::gil_scoped_release>())
      .def("info", &info_of);
  bind_builder(module);
}
