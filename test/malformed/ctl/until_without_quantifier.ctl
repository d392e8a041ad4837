p U q
