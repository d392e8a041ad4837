AG tokens(p) > 1000000001
