p : q
