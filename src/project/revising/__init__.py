"""What somebody who revises a story asks of a project."""
