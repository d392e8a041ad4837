# Two exits, two callers. After `one` comes good in the first call and bad in the second; after `two`
# comes the second call, and there good.

# EXPECT: holds
EX EX (one & AX good)
# EXPECT: fails
AG (one -> AX good)
# EXPECT: holds
EX EX (two & EX EX (one & AX bad))
# EXPECT: holds
EF bad
# In the first call exit `two` is needed to get to bad.
# EXPECT: holds
AX AX (one -> !EF bad)
# EXPECT: holds
AX AX (two -> EF bad & EF good)
# EXPECT: holds
AF (good | bad)
# EXPECT: fails
AG (two -> EX good)
