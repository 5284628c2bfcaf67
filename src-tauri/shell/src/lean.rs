//! Leaves out of the window libraries what nothing here uses: the graphics driver, with its compiler of shaders.
//!
//! Both take it into memory at their start, whatever is drawn later: 13 MB of own and 40 MB of shared pages in this
//! process (`BALL.md` has the figures). The panel is drawn by the processor.

use std::process::Command;

/// What the window libraries read once, at their start.
const LEAVES_OUT: [(&str, &str); 3] = [
    ("GDK_GL", "disable"),
    // Both together, or the web library looks for a graphics device all the same.
    ("WEBKIT_DISABLE_DMABUF_RENDERER", "1"),
    ("WEBKIT_WEB_RENDER_DEVICE_FILE", "/dev/null"),
];

/// To be called before any other thread is there; what the user set stays as it is.
pub fn leave_out_drivers() {
    for (name, value) in LEAVES_OUT {
        if std::env::var_os(name).is_none() {
            // SAFETY: no other thread reads the environment yet.
            unsafe { std::env::set_var(name, value) };
        }
    }
}

/// A program of the user's is not told what holds for this one only.
pub fn forget_in(command: &mut Command) {
    for (name, value) in LEAVES_OUT {
        if std::env::var_os(name).is_some_and(|set| set == value) {
            command.env_remove(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAVES_OUT, forget_in};
    use std::process::Command;

    #[test]
    fn what_the_user_set_otherwise_is_passed_on() {
        let mut command = Command::new("true");
        forget_in(&mut command);
        let removed: Vec<_> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
        for (name, value) in LEAVES_OUT {
            let is_ours = std::env::var_os(name).is_some_and(|set| set == value);
            assert_eq!(removed.iter().any(|removed| removed == name), is_ours, "{name}");
        }
    }
}
