"""The kinds of questions: how each is answered, said and shown."""
