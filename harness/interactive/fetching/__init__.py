"""The capture ``acquisition``: the downloader against a local server that misbehaves on purpose."""
