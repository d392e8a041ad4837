A G ( ( def__x | usedef__x ) --> E F ( use__x | usedef__x ) )
E X red or E X E ( blue U black )
E((~c|b) U (~c&b))
not A X E blue U red
