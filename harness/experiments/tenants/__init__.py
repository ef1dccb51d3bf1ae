"""Dataset ``tenants``: documents dealt to tenants in other ways, closeness, layout, figures."""
