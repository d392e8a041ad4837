#pragma once

#include <algorithm>
#include <array>
#include <nestor/model.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <vector>

/// States that are Python objects: each gets a number when it is first met. `successors` and
/// `labels` are called with such an object, under the interpreter's lock.
class StatesOfObjects final : public nestor::States {
 public:
  StatesOfObjects(pybind11::object initial, pybind11::object successors, pybind11::object labels,
                  std::vector<std::string> propositions)
      : initial_(std::move(initial)),
        successors_(std::move(successors)),
        labels_(std::move(labels)),
        propositions_(std::move(propositions)) {}
  ~StatesOfObjects() override {
    const pybind11::gil_scoped_acquire acquire;
    initial_ = successors_ = labels_ = pybind11::object();
    numbers_ = pybind11::dict();
    objects_ = pybind11::list();
    numbers_.release().dec_ref();
    objects_.release().dec_ref();
  }

  std::size_t words() const override { return 1; }
  void initial(nestor::StateSink& sink) override {
    const pybind11::gil_scoped_acquire acquire;
    add_all(initial_, sink);
  }
  void successors(State state, nestor::StateSink& sink) override {
    const pybind11::gil_scoped_acquire acquire;
    add_all(successors_(objects_[state[0]]), sink);
  }
  std::optional<std::uint32_t> proposition(std::string_view atom) override {
    const auto found = std::find(known_.begin(), known_.end(), atom);
    if (found == known_.end()) {
      known_.emplace_back(atom);
      return static_cast<std::uint32_t>(known_.size() - 1);
    }
    return static_cast<std::uint32_t>(found - known_.begin());
  }
  bool holds(std::uint32_t proposition, State state) const override {
    const pybind11::gil_scoped_acquire acquire;
    return labels_(objects_[state[0]]).contains(known_[proposition]);
  }
  std::vector<std::string> propositions() const override { return propositions_; }
  std::string describe(State state) const override {
    const pybind11::gil_scoped_acquire acquire;
    return pybind11::repr(objects_[state[0]]).cast<std::string>();
  }

 private:
  void add_all(const pybind11::handle& states, nestor::StateSink& sink) {
    for (const pybind11::handle state : pybind11::iter(states)) {
      if (!numbers_.contains(state)) {
        numbers_[state] = objects_.size();
        objects_.append(state);
      }
      sink.add(std::array{numbers_[state].cast<std::uint32_t>()});
    }
  }

  pybind11::object initial_;
  pybind11::object successors_;
  pybind11::object labels_;
  std::vector<std::string> propositions_;
  std::vector<std::string> known_;  // atoms of formulas, by number
  pybind11::dict numbers_;
  pybind11::list objects_;
};
