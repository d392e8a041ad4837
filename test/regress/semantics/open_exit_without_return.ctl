# x is entry and exit and goes on to n; the box does not go on after x. So x has one successor, n,
# and no path ends at x: the return node without transitions is no dead end.

# EXPECT: fails
EG p
# EXPECT: fails
EX EG p
# EXPECT: holds
AF !p
# EXPECT: holds
AX AX !p
# EXPECT: holds
AG EX true
