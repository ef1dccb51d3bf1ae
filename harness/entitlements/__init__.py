"""Who may read what beside the tenant: classification and information barrier, as labels, rows and policies.

`labels` assigns a level and a side to every document by rule, `readers` says who reads with what clearance, and
`table` holds the chunks of a store with those labels, under policies that a reader cannot pass.
"""
