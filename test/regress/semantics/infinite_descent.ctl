# f calls itself without end: each call is the state `in` one level deeper, so the stack grows for
# ever along a run in which p always holds. No state repeats on it; it is an infinite run all the same.

# EXPECT: holds
EG p
# EXPECT: fails
AF q
# EXPECT: fails
A [ p U q ]
# At every depth the way out is open.
# EXPECT: holds
AG EF q
# Leaving level after level shows `out` at each, and at the end the empty stack's loop.
# EXPECT: holds
AG (q -> AG q)
# EXPECT: holds
EX EX EX (p & EX q)
