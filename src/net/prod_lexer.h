#pragma once

#include "base/input.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::net {

/// A piece of a PROD net.
struct ProdToken {
  enum class Kind : std::uint8_t { Name, Number, Symbol, Directive, End };

  Kind kind = Kind::End;
  std::string_view text;   ///< in the input; of a directive without its `#`
  std::int64_t value = 0;  ///< of Number
  std::size_t at = 0;      ///< offset; of a macro's token, where the macro is used
  /// The macro that is this token and nothing else; of several the outermost.
  std::string_view macro = {};
};

/// Cuts a net description into tokens, macros replaced; the last one is End. `#define NAME …`
/// stands for its tokens from there on. Throws Error (Input).
std::vector<ProdToken> read_prod_tokens(const base::Input& input);

/// What the macros that are one number mean, for use in formulas.
struct ProdConstant {
  std::string name;
  std::int64_t value = 0;
};
std::vector<ProdConstant> read_prod_constants(const base::Input& input);

}  // namespace nestor::net
