# With an empty stack an exit loops on itself; this one has a local successor besides.

# EXPECT: holds
AX EG at_out
# EXPECT: holds
AX (EX y & EX at_out)
# EXPECT: fails
AX AX at_out
# EXPECT: fails
AF y
# EXPECT: holds
AG EF y
