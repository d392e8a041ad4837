// Parts of what several runs found: written, read, and looked at whether they belong together.

#include "base/balance.h"
#include "base/input.h"
#include "base/json_document.h"
#include "base/json_tree.h"
#include "base/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <nestor/shard.h>
#include <nestor/version.h>

namespace nestor {

namespace {

[[noreturn]] void refuse(const Part& part, const std::string& what) {
  throw Error(Error::Kind::Input, what, {part.file, 0, 0});
}

void write_texts(base::JsonWriter& json, std::string_view name,
                 const std::vector<std::string>& texts) {
  json.line().begin_array(name);
  for (const std::string& text : texts) {
    json.value(base::text_of_bytes(text));
  }
  json.end_array();
}

void write_costs(base::JsonWriter& json, const std::vector<ShardCost>& costs) {
  json.line().begin_array("costs");
  for (const ShardCost& cost : costs) {
    json.line().begin_object().member("rule", base::text_of_bytes(cost.rule));
    json.member("unit", base::text_of_bytes(cost.unit)).key("seconds").seconds(cost.seconds);
    json.end_object();
  }
  json.end_array();
}

std::vector<std::string> texts_of(const base::JsonTree& tree, std::string_view name,
                                  const std::string& file) {
  std::vector<std::string> texts;
  for (const base::JsonTree& item : tree.list(name)) {
    texts.push_back(base::bytes_of_text(item.text(), file));
  }
  return texts;
}

std::vector<ShardCost> costs_of(const base::JsonTree& tree, const std::string& file) {
  std::vector<ShardCost> costs;
  for (const base::JsonTree& item : tree.list("costs")) {
    costs.push_back({base::bytes_of_text(item.text("rule"), file),
                     base::bytes_of_text(item.text("unit"), file), item.real("seconds")});
    if (!(costs.back().seconds >= 0)) {
      tree.fail("a cost is less than nothing");
    }
  }
  return costs;
}

std::string schema_of(const base::JsonTree& tree) {
  return tree.has("schema") ? tree.text("schema") : std::string();
}

std::string joined(const std::vector<std::string>& options) {
  return options.empty() ? "none" : fmt::format("'{}'", fmt::join(options, " "));
}

/// Both are of one run.
void refuse_unlike(const Part& first, const Part& part) {
  if (part.command != first.command) {
    refuse(part, fmt::format("it is of 'nestor {}', and {} of 'nestor {}'", part.command,
                             first.file, first.command));
  }
  if (part.input != first.input || part.subject != first.subject) {
    refuse(part, fmt::format("it is of other input than {}", first.file));
  }
  if (part.options != first.options || part.format != first.format) {
    refuse(part, fmt::format("it was made with other options than {}: {} and {}", first.file,
                             joined(part.options), joined(first.options)));
  }
  if (part.count != first.count) {
    refuse(part, fmt::format("it is one of {} shards, and {} one of {}", part.count, first.file,
                             first.count));
  }
  if (part.warnings != first.warnings) {
    refuse(part, fmt::format("it has other warnings than {}", first.file));
  }
}

}  // namespace

std::vector<std::size_t> balanced_shards(std::span<const double> costs, std::size_t count) {
  std::vector<double> loads(count);
  std::vector<std::size_t> owners = base::balanced(costs, loads);
  for (std::size_t& owner : owners) {
    ++owner;
  }
  return owners;
}

std::string Part::json() const {
  std::string out;
  base::JsonWriter json(out);
  base::begin_document(json, "part", version).line().member("command", command);
  json.member("format", format).member("shard", number).member("shards", count);
  json.line().member("subject", base::text_of_bytes(subject)).member("input", input);
  write_texts(json, "options", options);
  write_texts(json, "warnings", warnings);
  json.line().begin_array("rows");
  for (const Row& row : rows) {
    json.line().begin_object();
    for (const auto& [name, value] : row) {
      json.member(name, base::text_of_bytes(value));
    }
    json.end_object();
  }
  json.end_array();
  if (!content.empty()) {
    json.line().key("content").json(content);
  }
  write_costs(json, costs);
  json.end_object();
  return out + '\n';
}

Part Part::read(const std::string& path) {
  const base::Input input = base::Input::read(path);
  const base::JsonTree tree = base::JsonTree::parse(input);
  if (schema_of(tree) != "nestor/part") {
    tree.fail(
        "it is no part of a report, which 'nestor check --shard' and 'nestor lint --shard' "
        "write");
  }
  Part part;
  part.file = input.name();
  part.version = tree.text("nestor");
  if (part.version != nestor::version()) {
    refuse(part, fmt::format("it was written by nestor {}, and this is nestor {}", part.version,
                             nestor::version()));
  }
  part.command = tree.text("command");
  part.format = tree.text("format");
  part.subject = base::bytes_of_text(tree.text("subject"), part.file);
  part.number = tree.number("shard");
  part.count = tree.number("shards");
  if (part.number == 0 || part.number > part.count) {
    refuse(part, fmt::format("there is no shard {} of {}", part.number, part.count));
  }
  part.input = tree.text("input");
  part.options = texts_of(tree, "options", part.file);
  part.warnings = texts_of(tree, "warnings", part.file);
  for (const base::JsonTree& item : tree.list("rows")) {
    Row& row = part.rows.emplace_back();
    for (const std::string& key : item.keys()) {
      row[key] = base::bytes_of_text(item.text(key), part.file);
    }
  }
  part.content = tree.has("content") ? tree.member("content").json() : std::string();
  part.costs = costs_of(tree, part.file);
  return part;
}

std::vector<Part> complete_parts(std::vector<Part> parts) {
  if (parts.empty()) {
    throw Error(Error::Kind::Usage, "PART is required");
  }
  for (const Part& part : parts) {
    refuse_unlike(parts.front(), part);
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.number < b.number; });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && parts[i].number == parts[i - 1].number) {
      refuse(parts[i], fmt::format("shard {} of {} is in {} already", parts[i].number,
                                   parts[i].count, parts[i - 1].file));
    }
    if (parts[i].number != i + 1) {
      refuse(parts[i], fmt::format("it is one of {} shards, of which number {} is missing",
                                   parts[i].count, i + 1));
    }
  }
  if (parts.size() != parts.front().count) {
    refuse(parts.back(), fmt::format("it is one of {} shards, of which number {} is missing",
                                     parts.back().count, parts.size() + 1));
  }
  return parts;
}

std::string files_digest(const std::vector<std::string>& paths) {
  base::Sha256 digest;
  for (const std::string& path : paths) {
    const base::Input input = base::Input::read(path);
    digest.add(fmt::format("{} ", input.size()));
    digest.add(input.text());
  }
  return digest.hex();
}

std::string costs_json(const std::vector<ShardCost>& costs) {
  std::string out;
  base::JsonWriter json(out);
  base::begin_document(json, "costs", version());
  write_costs(json, costs);
  json.end_object();
  return out + '\n';
}

std::vector<ShardCost> read_costs(const std::string& path) {
  const base::Input input = base::Input::read(path);
  const base::JsonTree tree = base::JsonTree::parse(input);
  const std::string schema = schema_of(tree);
  if (schema == "nestor/costs" || schema == "nestor/part") {
    return costs_of(tree, input.name());
  }
  if (schema != "nestor/check") {
    tree.fail(
        "it tells no costs: expected what 'nestor merge --costs' or 'nestor check --json' "
        "wrote");
  }
  std::vector<ShardCost> costs;
  for (const base::JsonTree& result : tree.list("results")) {
    if (result.has("seconds")) {
      costs.push_back({"", result.text("formula"), result.real("seconds")});
    }
  }
  return costs;
}

}  // namespace nestor
