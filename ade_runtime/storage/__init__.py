"""Tables, migrations and the one way to reach the database."""
