//! Bounds of plugins, with unit and reason.

/// Bytes of a manifest: fifty tools with long descriptions take some 50 kB.
pub const MANIFEST_BYTES_MAX: usize = 256 << 10;
/// Faults that are told of one plugin: whoever mends these sees the next ones.
pub const FAULTS_MAX: usize = 50;
/// Characters of a version, and of a description, an author or an address: a person reads them before they decide.
pub const VERSION_CHARACTERS_MAX: usize = 40;
pub const TEXT_CHARACTERS_MAX: usize = 500;
/// Tools, inputs of one, and permissions: more are read by nobody.
pub const TOOLS_MAX: usize = 50;
pub const INPUTS_MAX: usize = 30;
pub const PERMISSIONS_MAX: usize = 100;
/// Characters of a tool's or an input's name.
pub const NAME_CHARACTERS_MAX: usize = 80;
/// Folders below a source in which the manifest is looked for: archives have one around everything.
pub const ROOT_DEPTH_MAX: usize = 2;
/// Folders that are looked at for it.
pub const FOLDERS_MAX: usize = 200;
/// Names that a remedy lists when none is near.
pub const NAMES_SHOWN: usize = 14;
