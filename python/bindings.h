#pragma once

#include <chrono>
#include <future>
#include <nestor/nestor.h>
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <vector>

namespace py = pybind11;

// One function a group of classes; module.cpp calls them.
void bind_errors(py::module_& module);
void bind_formulas(py::module_& module);
void bind_models(py::module_& module);
void bind_settings(py::module_& module);
void bind_evidence(py::module_& module);
void bind_sessions(py::module_& module);
void bind_state_graph(py::module_& module);
void bind_generators(py::module_& module);
void bind_rules(py::module_& module);

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

/// (value or None, reason)
template <class T>
py::tuple pair_of(nestor::Answer<T> answer) {
  return py::make_tuple(std::move(answer.value), answer.reason);
}

/// A list of tuples or of whatever `convert` makes.
template <class T, class Convert>
py::list list_of(const std::vector<T>& all, Convert convert) {
  py::list out;
  for (const T& one : all) {
    out.append(convert(one));
  }
  return out;
}

/// id -> what `convert` makes of it
template <class T, class Convert>
py::dict dict_by_id(const std::vector<T>& all, Convert convert) {
  py::dict out;
  for (const T& one : all) {
    out[py::str(one.id)] = convert(one);
  }
  return out;
}
