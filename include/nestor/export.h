#pragma once

// What of the library other programs may link against. Everything else is hidden.
#if defined(__GNUC__)
#define NESTOR_API __attribute__((visibility("default")))
#else
#define NESTOR_API
#endif
