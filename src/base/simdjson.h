#pragma once

// simdjson without its assertions, which are in the way at each token: of these the compiler makes
// calls, of what is left nothing. Ours stay.
#ifdef NDEBUG
#include <simdjson.h>
#else
#define NDEBUG
#include <simdjson.h>
#undef NDEBUG
#endif
#include <cassert>
