# reference says fails, summary says holds 
# EXPECT: FILL IN
AF a
