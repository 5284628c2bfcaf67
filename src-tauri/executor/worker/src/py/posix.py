"""Here so that modules of the library that look for it find that it offers nothing."""
