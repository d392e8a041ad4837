// What most files include, parsed once for all of them; only builds with NESTOR_PRECOMPILED see it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <ostream>
#include <queue>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

// The library has this function, but version 9 does not say so: each file that formats into a
// buffer would compile all of the formatting anew, which takes longer than the rest of the file.
#if defined(FMT_SHARED) && FMT_VERSION / 10000 == 9
extern template void fmt::detail::vformat_to<char>(
    buffer<char>&, basic_string_view<char>,
    basic_format_args<FMT_BUFFER_CONTEXT(type_identity_t<char>)>, locale_ref);
#endif
