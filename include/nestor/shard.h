#pragma once

#include <cstddef>
#include <map>
#include <nestor/error.h>
#include <nestor/export.h>
#include <span>
#include <string>
#include <vector>

// Work that several runs share out without talking to each other, and putting their parts together
// (docs/batch.md).

namespace nestor {

/// How long a piece of work took in an earlier run.
struct ShardCost {
  std::string rule;  ///< of `lint`; else empty
  std::string unit;  ///< what tells it from the others
  double seconds = 0;
};

/// One of several runs.
struct Shard {
  std::size_t number = 1;  ///< from 1 on
  std::size_t count = 1;
  std::vector<ShardCost> costs = {};  ///< none: they are estimated
};

/// Who does each piece of work, from 1 on, so that all have as much to do; a piece a cost.
NESTOR_API std::vector<std::size_t> balanced_shards(std::span<const double> costs,
                                                    std::size_t count);

/// What one of several runs found. Whoever has all parts can tell what one run would have told.
struct NESTOR_API Part {
  using Row = std::map<std::string, std::string>;

  std::string file = {};     ///< for messages
  std::string version = {};  ///< of the library that made it
  std::string command = {};
  std::string format = {};   ///< of the report
  std::string subject = {};  ///< what it is about, as the report names it
  std::size_t number = 1;
  std::size_t count = 1;
  std::string input = {};                 ///< files_digest() of what was read
  std::vector<std::string> options = {};  ///< that the report depends on
  std::vector<std::string> warnings = {};
  std::vector<Row> rows = {};         ///< of commands that report a list
  std::string content = {};           ///< JSON, of others
  std::vector<ShardCost> costs = {};  ///< what was measured

  /// As share/nestor/schema/part.schema.json says.
  std::string json() const;
  /// Throws Error (Input) for a file that is no part, or is damaged.
  static Part read(const std::string& path);
};

/// The parts in order. Throws Error (Input), naming the file, if they are not all the parts of one
/// run by this version of the library, each once.
NESTOR_API std::vector<Part> complete_parts(std::vector<Part> parts);

/// Of the bytes of all these files. Throws Error (System).
NESTOR_API std::string files_digest(const std::vector<std::string>& paths);

/// Costs as a file that read_costs() reads; that reads parts, and what `check --json` prints, too.
NESTOR_API std::string costs_json(const std::vector<ShardCost>& costs);
NESTOR_API std::vector<ShardCost> read_costs(const std::string& path);

}  // namespace nestor
