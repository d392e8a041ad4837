# `stop` has no successor and is no exit: the only run is start, stop, and it is finite.

# EXPECT: fails
AF never
# EXPECT: holds
AF end
# A finite run that ends counts for EG.
# EXPECT: holds
EG !never
# EXPECT: fails
AG EX true
# EXPECT: holds
AX AX false
# EXPECT: holds
EF !EX true
# The run does not go on, so there is no third state.
# EXPECT: fails
EX EX true
