# Neighbours never eat at the same time.
# EXPECT: holds
exclusion := AG !(tokens(eating<0>) = 1 & tokens(eating<1>) = 1)
# Nor do more than half of all.
# EXPECT: holds
half := AG tokens(eating) <= 2
# Two of five can.
# EXPECT: holds
two := EF tokens(eating) = 2
# Fails: all may take their left forks.
# EXPECT: fails
no_deadlock := AG !deadlock
# That is how it comes to it, and the only way.
# EXPECT: holds
how := AG (deadlock <-> tokens(waiting) = 5)
# Each can eat, but nobody must: others may, for ever.
# EXPECT: holds
may_eat := EF tokens(eating<0>) = 1
# EXPECT: fails
must_eat := AF tokens(eating<0>) = 1
# Every fork is on the table or in use.
# EXPECT: holds
forks := AG tokens(fork) + tokens(waiting) + 2*tokens(eating) = 5
# From everywhere else there is a way back to the beginning.
# EXPECT: holds
way_back := AG (deadlock | EF tokens(thinking) = 5)
