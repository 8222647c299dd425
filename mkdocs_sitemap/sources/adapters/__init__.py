"""One module for each plugin or extension that includes files: see `Adapter`."""
