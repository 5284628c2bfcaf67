//! The kinds of dialogs that pick paths.

/// What is to be picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileDialog {
    Files,
    Folder,
    /// The path of a new file, with this name unless the user gives another.
    NewFile(String),
}
