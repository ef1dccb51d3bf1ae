"""The parts that the captures over layouts of the store share: questions, readings, and what is said of them."""
