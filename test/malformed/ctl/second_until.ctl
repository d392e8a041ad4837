E [p U q U r]
