# The procedure f is one node, entry and exit at once. So call node and return node are one state:
# the run is start, only, after, after, …; the call neither blocks nor costs a second step.

# EXPECT: holds
AX in_f
# The state after `only` is `after`, not a second copy of `only`.
# EXPECT: holds
AX AX done
# EXPECT: holds
AF done
# EXPECT: fails
EX EX in_f
# A published tool takes the call for a dead end, for which this would hold.
# EXPECT: fails
EX (in_f & !EX true)
