"""A multi-layer perceptron that is fitted epoch by epoch, tells its progress and can be stopped."""
