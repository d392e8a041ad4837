A [p U q
