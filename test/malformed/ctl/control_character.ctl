AG p
