# reference says fails, summary says holds 
# EXPECT: FILL IN
E [!EX !false R false <-> c]
