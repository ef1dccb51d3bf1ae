"""The parts of the capture `rls_bypasses`: who is bound by the policy, ways round it, and attempts to make it leak."""
