#include "net/xml.h"

#include <fmt/format.h>

namespace nestor::net {

XmlFile::XmlFile(const base::Input& input) : input_(input) {
  const pugi::xml_parse_result result =
      document_.load_buffer(input.text().data(), input.size(), pugi::parse_default);
  if (!result) {
    std::string what = result.description();
    if (!what.empty()) {
      what.front() = static_cast<char>(
          what.front() >= 'A' && what.front() <= 'Z' ? what.front() - 'A' + 'a' : what.front());
    }
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0));
    throw base::Error(base::Error::Kind::Input, fmt::format("not XML: {}", what),
                      input.locate(std::min(offset, input.size())));
  }
}

void XmlFile::fail(pugi::xml_node at, const std::string& message, base::Error::Kind kind) const {
  const std::ptrdiff_t offset = at.offset_debug();
  // The offset is of the name, one behind the bracket.
  throw base::Error(kind, message,
                    offset > 0 ? input_.locate(static_cast<std::size_t>(offset) - 1)
                               : base::SourceLocation{input_.name()});
}

std::string XmlFile::text(pugi::xml_node element) {
  const std::string_view all = element.text().get();
  const std::size_t first = all.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return {};
  }
  return std::string(all.substr(first, all.find_last_not_of(" \t\r\n") - first + 1));
}

std::string_view XmlFile::name(pugi::xml_node element) {
  const std::string_view full = element.name();
  const std::size_t colon = full.find(':');
  return colon == std::string_view::npos ? full : full.substr(colon + 1);
}

pugi::xml_node XmlFile::child(pugi::xml_node element, std::string_view wanted) {
  for (const pugi::xml_node child : element.children()) {
    if (child.type() == pugi::node_element && name(child) == wanted) {
      return child;
    }
  }
  return {};
}

std::vector<pugi::xml_node> XmlFile::elements(pugi::xml_node parent) {
  std::vector<pugi::xml_node> found;
  for (const pugi::xml_node child : parent.children()) {
    if (child.type() == pugi::node_element) {
      found.push_back(child);
    }
  }
  return found;
}

pugi::xml_node XmlFile::only_element(pugi::xml_node parent) const {
  const std::vector<pugi::xml_node> found = elements(parent);
  if (found.size() != 1) {
    fail(parent, fmt::format("{} elements in '{}', expected one", found.size(), name(parent)));
  }
  return found[0];
}

}  // namespace nestor::net
