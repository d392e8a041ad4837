# Two initial states: the model satisfies what both satisfy. So a formula and its negation can both
# fail.

# EXPECT: holds
p | q
# EXPECT: fails
p
# EXPECT: fails
!p
# Only the run from `a` ends.
# EXPECT: fails
AF done
# EXPECT: fails
!AF done
# EXPECT: holds
AF done | AG q
