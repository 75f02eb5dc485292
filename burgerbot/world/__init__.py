"""The world: kitchens, the rules compiled from them, and the environments that step by them."""
