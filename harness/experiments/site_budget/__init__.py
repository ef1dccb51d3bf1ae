"""Dataset ``site_budget``: the site built, served and opened, page by page."""
