E ((p U q) & r)
