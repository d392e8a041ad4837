G F [3,1] p
