#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nestor::view {

/// A page that shows answers (docs/view.md): one HTML file that needs nothing else, neither a
/// network nor other files. What it shows is in documents, JSON as the program prints it with
/// --json; they are compressed, so that no text of a model is part of the page's own text.
class Page {
 public:
  /// A document; the page's script finds it by its name. `name` is for us to choose.
  void add(std::string_view name, std::string_view json);
  /// A document that is one of many, of which the script needs one or two: `key` is its number
  /// there. They are put together, so that what they share is there once.
  void add_to(std::string_view series, std::size_t key, std::string_view json);

  /// Live: it may ask the server that it comes from.
  std::string html(bool live = false) const;

 private:
  /// Documents that are compressed together.
  struct Block {
    std::vector<std::pair<std::string, std::string>> documents;  // key, JSON
    std::size_t bytes = 0;
  };
  struct Series {
    std::string name;
    std::vector<Block> blocks;
  };
  static void append_block(std::string& out, std::string_view name, std::string_view json);

  std::string blocks_;
  std::vector<Series> series_;
};

/// What a page may do, as the header and the page itself say it: nothing but run its own script.
std::string content_security_policy(bool live);

/// An example to begin with, of the documentation.
struct Example {
  std::string_view name;  ///< of its file
  std::string_view text;
  std::string_view formulas;  ///< of the file beside it; empty if it has its own
};
std::vector<Example> examples();

}  // namespace nestor::view
