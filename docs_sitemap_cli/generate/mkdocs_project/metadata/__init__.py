"""Front matter of pages: values, what pages show of them, and files that they use."""
