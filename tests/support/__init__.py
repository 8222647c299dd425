"""Small helpers that make real sites and repositories, and read sitemaps back."""
