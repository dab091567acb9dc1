"""What the window and the command line ask for."""
