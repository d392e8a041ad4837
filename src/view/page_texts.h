#pragma once

#include "view/page.h"

#include <span>
#include <string_view>

namespace nestor::view {

// What src/view/page and examples hold, put together when Nestor is built.
extern const std::string_view kPageFrame;
extern const std::string_view kPageStyle;
extern const std::span<const std::string_view> kPageModules;  ///< of its script, in order
extern const std::span<const Example> kPageExamples;

}  // namespace nestor::view
