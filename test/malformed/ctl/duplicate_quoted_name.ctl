safe := AG p
  "safe" := AG q
