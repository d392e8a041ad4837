arr[ 3 ]
