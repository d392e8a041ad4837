G (p U q U r)
