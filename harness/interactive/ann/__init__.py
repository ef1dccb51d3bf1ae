"""The parts of the capture `ann_postfilter`: design, measurement, controls, and the cases shown in full."""
