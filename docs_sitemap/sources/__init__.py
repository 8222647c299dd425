"""What both integrations use to find the source files of pages."""
