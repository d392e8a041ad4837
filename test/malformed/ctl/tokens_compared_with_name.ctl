AG tokens(p) > q
