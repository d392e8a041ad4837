// Rules on C and C++ programs.

#include "bindings.h"

using namespace nestor;

void bind_rules(py::module_& module) {
  py::class_<Rule>(module, "Rule")
      .def_readonly("id", &Rule::id)
      .def_readonly("title", &Rule::title)
      .def_readonly("severity", &Rule::severity)
      .def_readonly("cwe", &Rule::cwe)
      .def_readonly("cert", &Rule::cert)
      .def_readonly("scope", &Rule::scope)
      .def_readonly("formula", &Rule::formula)
      .def_readonly("fix", &Rule::fix)
      .def_readonly("assumes", &Rule::assumes)
      .def_readonly("is_default", &Rule::is_default);
  py::class_<LintReport::Step>(module, "PathStep")
      .def_readonly("kind", &LintReport::Step::kind)
      .def_readonly("file", &LintReport::Step::file)
      .def_readonly("line", &LintReport::Step::line)
      .def_readonly("column", &LintReport::Step::column)
      .def_readonly("message", &LintReport::Step::message)
      .def_readonly("depth", &LintReport::Step::depth);
  py::class_<LintReport::Warning>(module, "Warning")
      .def_readonly("rule", &LintReport::Warning::rule)
      .def_readonly("severity", &LintReport::Warning::severity)
      .def_readonly("file", &LintReport::Warning::file)
      .def_readonly("line", &LintReport::Warning::line)
      .def_readonly("column", &LintReport::Warning::column)
      .def_readonly("function", &LintReport::Warning::function)
      .def_readonly("subject", &LintReport::Warning::subject)
      .def_readonly("message", &LintReport::Warning::message)
      .def_readonly("fingerprint", &LintReport::Warning::fingerprint)
      .def_readonly("path", &LintReport::Warning::path);
  py::class_<LintReport>(module, "LintReport")
      .def_property_readonly("warnings", &LintReport::warnings)
      .def_property_readonly("unknown", &LintReport::unknown)
      .def_property_readonly("notes", &LintReport::notes)
      .def_property_readonly("summary", &LintReport::summary)
      .def("text", &LintReport::text)
      .def("json", &LintReport::json)
      .def("sarif", &LintReport::sarif)
      .def("junit", &LintReport::junit)
      .def("baseline", &LintReport::baseline)
      .def("__len__", &LintReport::warning_count)
      .def("__iter__",
           [](const LintReport& report) { return py::iter(py::cast(report.warnings())); })
      .def("__str__", &LintReport::text);
  py::class_<LintRequest>(module, "LintRequest")
      .def(py::init())
      .def_readwrite("programs", &LintRequest::programs)
      .def_readwrite("rule_files", &LintRequest::rule_files)
      .def_readwrite("rule_ids", &LintRequest::rule_ids)
      .def_readwrite("all_rules", &LintRequest::all_rules)
      .def_readwrite("externals", &LintRequest::externals)
      .def_readwrite("most_targets", &LintRequest::most_targets)
      .def_readwrite("baseline", &LintRequest::baseline)
      .def_readwrite("source_root", &LintRequest::source_root)
      .def_readwrite("system_headers", &LintRequest::system_headers)
      .def_readwrite("refutes", &LintRequest::refutes)
      .def_readwrite("settings", &LintRequest::settings);
  module.def("lint", [](LintRequest request) {
    std::atomic<bool> cancelled = false;
    request.settings.limits.cancelled = &cancelled;
    return interruptible(cancelled, [&] { return check_rules(request); });
  });
  module.def("explain_rule", &explain_rule, py::arg("id"),
             py::arg("files") = std::vector<std::string>());
  module.def(
      "rules",
      [](const std::vector<std::string>& files) {
        return dict_by_id(rules(files), [](const Rule& rule) { return rule; });
      },
      py::arg("files") = std::vector<std::string>());
}
