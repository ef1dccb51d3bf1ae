"""Small documents and the trees that readers of HTML make of them."""
