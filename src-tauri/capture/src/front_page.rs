//! The page that a browser vouches for: another feature's knowledge, which the runtime lends.

use shidi_protocol::PageView;

/// Whoever knows which page is in front.
pub trait FrontPage: Send + Sync {
    /// The page in front, if a browser that was let in tells of one.
    fn front(&self) -> Option<PageView>;

    /// Forgets what is in front: the user paused.
    fn look_away(&self);
}
