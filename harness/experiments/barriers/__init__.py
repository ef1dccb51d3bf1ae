"""Dataset ``barriers``: two worlds on either side of a barrier, and what an observer sees of the hidden one."""
