A[p]
