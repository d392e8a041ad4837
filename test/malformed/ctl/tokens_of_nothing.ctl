AG tokens() > 1
