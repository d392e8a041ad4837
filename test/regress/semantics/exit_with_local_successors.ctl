# The exit of f also goes on inside f. As the top of a call it has the successors of the return node
# (`after`) and its own (`more`, which loops).

# EXPECT: holds
EX EX (at_out & EX y & EX done)
# EXPECT: holds
EF done
# It may go to `more` and stay there.
# EXPECT: fails
AF done
# EXPECT: holds
AF (y | done)
# Both ways are open, so neither is forced.
# EXPECT: fails
EF (at_out & (AX y | AX done))
