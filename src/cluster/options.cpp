#include "cluster/options.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <nestor/error.h>
#include <string_view>
#include <utility>

namespace nestor::cluster {

namespace {

struct Row {
  std::string_view name;
  std::string_view value;  // what help calls it; empty: a flag
  std::string_view help;
};

constexpr std::array kRows{
    Row{"--checkpoint", "DIR",
        "Write the explored graph into this folder, now and then and when exploring ends"},
    Row{"--checkpoint-every", "S", "Seconds between two of them; default 600"},
    Row{"--resume", "", "Go on from the checkpoint, also with another number of processes"},
    Row{"--silence", "S",
        "End the run if a process that is waited for says nothing for so many seconds; default "
        "600"},
};

double positive(std::string_view name, const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end || !(value > 0) || !std::isfinite(value)) {
    throw Error(Error::Kind::Usage, fmt::format("{}: '{}' is not a positive number", name, text));
  }
  return value;
}

void set(ClusterOptions& options, std::string_view name, const std::string& value) {
  if (name == "--checkpoint") {
    options.checkpoint = value;
  } else if (name == "--checkpoint-every") {
    options.checkpoint_every = positive(name, value);
  } else if (name == "--resume") {
    options.resume = true;
  } else {
    options.silence = positive(name, value);
  }
}

}  // namespace

ClusterOptions take_options(std::vector<std::string>& arguments) {
  ClusterOptions options;
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const Row* row = nullptr;
    for (const Row& candidate : kRows) {
      row = candidate.name == name ? &candidate : row;
    }
    if (row == nullptr) {
      rest.push_back(argument);
      continue;
    }
    const bool has_value = equals != std::string::npos;
    if (row->value.empty() && has_value) {
      throw Error(Error::Kind::Usage, fmt::format("{} takes no value", name));
    }
    std::string value;
    if (!row->value.empty()) {
      if (!has_value && i + 1 == arguments.size()) {
        throw Error(Error::Kind::Usage, fmt::format("{} needs a value", name));
      }
      value = has_value ? argument.substr(equals + 1) : arguments[++i];
      if (value.empty()) {
        throw Error(Error::Kind::Usage, fmt::format("{} needs a value", name));
      }
    }
    set(options, name, value);
  }
  if (options.resume && options.checkpoint.empty()) {
    throw Error(Error::Kind::Usage, "--resume needs --checkpoint=DIR");
  }
  arguments = std::move(rest);
  return options;
}

std::string help_text() {
  std::string text =
      "usage: mpirun -n N nestor-mpi check MODEL [FORMULA-FILE…] [options]\n\n"
      "The processes decide formulas together: of a net or an SMV model each has a part of the\n"
      "states, of other models each takes some of the formulas. Options are those of 'nestor "
      "check'\n"
      "but for --certificate, --certificate-dir, --witness-dot, --html, --json-lines and\n"
      "--shard, and:\n\n";
  for (const Row& row : kRows) {
    text += fmt::format(
        "  {:<24} {}\n",
        row.value.empty() ? std::string(row.name) : fmt::format("{}={}", row.name, row.value),
        row.help);
  }
  return text;
}

}  // namespace nestor::cluster
