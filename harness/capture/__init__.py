"""How a capture runs and what it leaves: declaration, process, provenance block, canary, verification, listing."""
