//! The command line's words about browsers and their pages.

use super::Words;

impl Words {
    #[must_use]
    pub fn companion_installed(self, folder: &str, browsers: &str) -> Vec<String> {
        let told = self.said.companion_installed(browsers, folder);
        told.lines().map(str::to_owned).collect()
    }
}
