//! Why a look failed. Another crate words it for the user.

/// The cause that kept a sensor or camera from seeing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SenseError {
    #[error("There is no display")]
    NoDisplay,
    /// Wayland does not tell which windows are excluded, so no picture may be taken.
    #[error("A Wayland desktop doesn't say which windows stand where")]
    Wayland,
    #[error("Looking at the screen is not written for this system")]
    NotHere,
    #[error("No window is in front")]
    NothingInFront,
    #[error("That part is not on the screen")]
    OffScreen,
    #[error("The display failed: {0}")]
    Display(String),
    #[error("The picture could not be made: {0}")]
    Picture(String),
    #[error("The words could not be recognised: {0}")]
    Recognising(String),
}
