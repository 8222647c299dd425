"""One module for each plugin or Markdown extension that includes files: see `Adapter`."""
