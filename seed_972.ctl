# reference says holds, summary says fails 
# EXPECT: FILL IN
EF h
