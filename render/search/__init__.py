"""What can be found, as an index for the browser and a page that lists it."""
