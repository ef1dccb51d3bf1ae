"""Dataset ``pipeline_trace``."""
