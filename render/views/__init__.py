"""Pictures as pure functions of captured values and options: tables, bars, charts, ranks, graphs."""
