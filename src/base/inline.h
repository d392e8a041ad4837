#pragma once

/// Before a small function of an innermost loop, which the compiler, optimising as users get it,
/// does not put in place of its calls, as its assertions make it look large.
#define NESTOR_INLINE [[gnu::always_inline]] inline
