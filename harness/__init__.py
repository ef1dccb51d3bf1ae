"""The real pipeline, as a library, and the captures that publish its states."""
