"""Models in GGUF files, run by llama.cpp in a child process that no bad file can outlive."""
