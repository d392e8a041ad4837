safe := AG p
# between
live := AF q
safe := AG q
