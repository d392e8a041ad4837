# The first call returns straight into the second: start, in, out, in, out, after.

# EXPECT: holds
AX AX (b & AX (a & AX (b & AX done)))
# The same exit goes on differently under the two calls.
# EXPECT: fails
AG (b -> AX done)
# EXPECT: fails
AG (b -> AX a)
# EXPECT: holds
AG (b -> AX (a | done))
