good := p
A G (p -->
  q)
