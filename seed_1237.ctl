# reference says fails, summary says holds 
# EXPECT: FILL IN
A [c xor true W b]
