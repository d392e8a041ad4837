#pragma once

#include "model/rsm.h"

#include <functional>
#include <optional>
#include <string_view>

namespace nestor::model {

/// Where a user wants a model to start: `COMPONENT`, or `COMPONENT:NODE`.
struct StartPlace {
  std::string_view component;
  std::string_view node;  ///< empty: the entries of the component
};

/// What `text` means. Names may have colons in them: the first reading counts that gives a
/// component that is there. Nothing if none does.
std::optional<StartPlace> find_start_place(
    std::string_view text, const std::function<bool(std::string_view)>& is_component);

/// The same machine with another beginning: the empty stack, in that component. Throws Error
/// (Input) if there is no such component or node; `name` is the model's, for the message.
void start_at(Rsm& model, std::string_view place, std::string_view name);

/// Throws Error (Input): there is no such place.
[[noreturn]] void refuse_start_place(std::string_view place, std::string_view model_name);

}  // namespace nestor::model
