p | true
AF TRUE
E [false U false]
AX FALSE & EG true
