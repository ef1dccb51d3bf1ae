"""Dataset ``ablation``: the rows of the ablation, the capture and its figures."""
