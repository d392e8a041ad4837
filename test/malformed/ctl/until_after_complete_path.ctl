E G p U q
