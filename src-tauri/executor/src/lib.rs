//! Runs the program the model wrote, in a confined child; the security boundary of the product.
