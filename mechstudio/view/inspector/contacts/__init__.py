"""Page of the floor and of contacts, with their table."""
