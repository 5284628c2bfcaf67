//! Why a look failed. Another crate words it for the user.

/// The cause that kept a sensor or camera from seeing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SenseError {
    #[error("There is no display")]
    NoDisplay,
    /// Wayland tells no program where windows stand, or lets it paste.
    #[error("A Wayland desktop doesn't say which windows stand where")]
    Wayland,
    /// The compositor speaks no protocol by which programs without a window use the clipboard.
    #[error("This Wayland compositor gives programs no clipboard")]
    NoDataControl,
    /// The user chose no picture.
    #[error("No picture was given")]
    NotGiven,
    #[error("The desktop has no portal that takes pictures")]
    NoPortal,
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
