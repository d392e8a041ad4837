& p
