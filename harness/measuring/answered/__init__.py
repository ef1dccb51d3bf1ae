"""Every golden question put to the whole pipeline: who asks, what came of it, and how a case is shown."""
