# No run inside f reaches its exit, so what comes after the call is never reached.

# EXPECT: fails
EF done
# EXPECT: holds
AF AG s
# EXPECT: holds
AG EX true
