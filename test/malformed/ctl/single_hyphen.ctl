p - q
