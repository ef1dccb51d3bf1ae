"""The parts of the capture `tenants`: what the tenants are, how close they lie, and other ways to deal out the rows."""
