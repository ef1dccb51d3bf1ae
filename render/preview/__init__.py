"""The local preview: serving a built site, watching its sources, reloading the browser."""
