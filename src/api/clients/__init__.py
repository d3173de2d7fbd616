"""Parts of the client: its connection, and what an author does through it."""
