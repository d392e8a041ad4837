# f has two exits, the box lists a return node for `good` only. A run that reaches `bad` through this
# box has nowhere to go: it ends there.

# EXPECT: holds
AG (stuck -> !EX true)
# The run start, in, bad is maximal and never meets `done`.
# EXPECT: fails
AF done
# EXPECT: holds
EG !done
# EXPECT: holds
AF (done | stuck)
# EXPECT: holds
EF done
# In a state without successors `AX false` is true and `EX true` is not.
# EXPECT: holds
AX AX (ok | AX false)
