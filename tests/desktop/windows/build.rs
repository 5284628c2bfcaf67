//! Embeds the empty pages with the window library's configuration.

fn main() {
    tauri_build::build();
}
