//! Where our own ball and panel stand among the windows of this desktop, and why.

/// How this desktop lets ball and panel stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnWindows {
    /// A Wayland desktop that serves windows of X11, which choose their places.
    OfX11,
    /// Layers of the compositor, above all windows.
    Layers,
    /// Windows as all others: the compositor has no layers.
    NoLayers,
    /// Windows as all others: the library that asks for layers is missing.
    NoLibrary,
}
