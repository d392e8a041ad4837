# The properties of section 2.5 of the report, for both processes.

# Never both in the critical section.
# EXPECT: holds
exclusion := AG !(tokens(process<1,CS>) = 1 & tokens(process<2,CS>) = 1)

# Who tries gets in.
# EXPECT: holds
progress_1 := AG (tokens(process<1,TRY>) = 1 -> AF tokens(process<1,CS>) = 1)
# EXPECT: holds
progress_2 := AG (tokens(process<2,TRY>) = 1 -> AF tokens(process<2,CS>) = 1)

# Fails: a process may stay away for ever.
# EXPECT: fails
always_in_1 := AF tokens(process<1,CS>) = 1
# EXPECT: fails
always_in_2 := AF tokens(process<2,CS>) = 1

# It can get in.
# EXPECT: holds
may_get_in_1 := EF tokens(process<1,CS>) = 1
# EXPECT: holds
may_get_in_2 := EF tokens(process<2,CS>) = 1

# Fails: the two may go on without ever being outside together again.
# EXPECT: fails
always_back := AG AF (tokens(process<1,NC>) = 1 & tokens(process<2,NC>) = 1)

# But they can always get there.
# EXPECT: holds
may_come_back := AG EF (tokens(process<1,NC>) = 1 & tokens(process<2,NC>) = 1)

# They may never leave the initial state.
# EXPECT: holds
may_idle := EG (tokens(process<1,NC>) = 1 & tokens(process<2,NC>) = 1)

# No way in without trying.
# EXPECT: holds
must_try_1 := !E [tokens(process<1,TRY>) = 0 U tokens(process<1,CS>) = 1]
# EXPECT: holds
must_try_2 := !E [tokens(process<2,TRY>) = 0 U tokens(process<2,CS>) = 1]
