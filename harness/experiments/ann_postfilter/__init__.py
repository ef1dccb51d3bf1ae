"""Dataset ``ann_postfilter``: readings, controls, cases shown in full, figures."""
