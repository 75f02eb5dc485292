"""Pictures of kitchens, episodes and values, each with a text rendering."""
