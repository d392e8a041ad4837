#pragma once

#include "base/error.h"
#include "base/input.h"

#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::net {

/// An XML file, read whole. Elements are known by their names without prefix.
class XmlFile {
 public:
  /// Throws Error (Input). The input must outlive it.
  explicit XmlFile(const base::Input& input);

  pugi::xml_node root() const { return document_.document_element(); }
  [[noreturn]] void fail(pugi::xml_node at, const std::string& message,
                         base::Error::Kind kind = base::Error::Kind::Input) const;
  /// The text inside an element, without blanks around it.
  static std::string text(pugi::xml_node element);
  static std::string_view name(pugi::xml_node element);
  /// The child element of this name; a null node if there is none.
  static pugi::xml_node child(pugi::xml_node element, std::string_view name);
  static std::vector<pugi::xml_node> elements(pugi::xml_node parent);
  /// The one element inside. Throws Error (Input) if there are others, or none.
  pugi::xml_node only_element(pugi::xml_node parent) const;

 private:
  const base::Input& input_;
  pugi::xml_document document_;
};

}  // namespace nestor::net
