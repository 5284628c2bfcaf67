//! The text that is typed into another program's window, without signs that would act there.
//!
//! A terminal takes a line end as an order, and an escape as the beginning of one. So it gets one line of visible characters,
//! which the user ends by himself. Other programs get the text with its lines and without control characters.

use crate::{FrontWindow, SenseError};
use shidi_protocol::{ends_line, is_unseen};

/// Parts of the names of terminals.
const PARTS: &str = "term konsole console kitty rxvt tilix guake yakuake tilda ptyxis kgx ghostty alacritty sakura powershell";

/// Names of terminals that are parts of other programs' names.
const WHOLE: &str = "st st-256color foot footclient rio warp hyper tabby contour blackbox mintty cmd cmd.exe";

/// How a window takes a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    Plain,
    /// One line: the window is a terminal's.
    Terminal,
}

/// A text that was put into a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inserted {
    pub manner: Manner,
}

/// Why a text was not put into a window. Another crate words it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InsertError {
    #[error("the window is gone")]
    Gone,
    #[error("the window does not come to the front")]
    NotInFront,
    #[error("a key is still held")]
    KeysHeld,
    /// The text stays on the clipboard.
    #[error("the window took nothing")]
    NotTaken,
    /// No program may paste there: the user does it, from the clipboard.
    #[error("the text is on the clipboard")]
    OnClipboard {
        /// The program of the window, where it is known.
        app: String,
        manner: Manner,
    },
    /// The field holds no more.
    #[error("the window took {characters} of {of} characters")]
    Part {
        characters: usize,
        of: usize,
        /// Whether the whole text is on the clipboard.
        is_copied: bool,
    },
    #[error("nothing of the text can be typed")]
    Empty,
    #[error(transparent)]
    Sense(#[from] SenseError),
}

/// How that window takes a text.
#[must_use]
pub fn manner(window: &FrontWindow) -> Manner {
    let names = window.names.iter().chain([&window.app]);
    let is_terminal = names.map(|name| name.to_lowercase()).any(|name| {
        let mut parts = PARTS.split(' ');
        parts.any(|part| name.contains(part)) || WHOLE.split(' ').any(|whole| name == whole)
    });
    if is_terminal {
        Manner::Terminal
    } else {
        Manner::Plain
    }
}

/// The text as it is typed.
#[must_use]
pub fn typed(text: &str, manner: Manner) -> String {
    match manner {
        Manner::Plain => plain(text),
        Manner::Terminal => one_line(text),
    }
}

/// A text without control characters; its lines stay.
#[must_use]
pub fn plain(text: &str) -> String {
    let lines = text.replace("\r\n", "\n");
    let kept = |letter: &char| matches!(letter, '\n' | '\t') || !letter.is_control();
    lines.chars().filter(kept).collect()
}

/// A text for a window that nobody names. It may be a terminal's, so nothing in it is unseen, and no line end is its last.
#[must_use]
pub fn unnamed(text: &str) -> String {
    let kept = |letter: &char| matches!(letter, '\n' | '\t') || !is_unseen(*letter);
    let seen: String = plain(text).chars().filter(kept).collect();
    seen.trim_end().to_owned()
}

/// A text in one line, without what the eye can't see.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for piece in text_pieces(text) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&piece);
    }
    line
}

/// The lines of a text without what the eye can't see, each without its margins; empty ones are left out.
fn text_pieces(text: &str) -> impl Iterator<Item = String> {
    let lines = text.split(ends_line).map(|line| {
        let seen = line
            .chars()
            .map(|letter| if letter == '\t' { ' ' } else { letter });
        let seen: String = seen.filter(|letter| !is_unseen(*letter)).collect();
        seen.trim().to_owned()
    });
    lines.filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn window(app: &str, name: &str) -> FrontWindow {
        FrontWindow {
            app: app.to_owned(),
            names: vec![name.to_owned()],
            ..FrontWindow::default()
        }
    }

    #[test]
    fn terminals_are_known_by_their_names() {
        for (app, name) in [
            ("XTerm", "xterm"),
            ("Gnome-terminal", "gnome-terminal-server"),
            ("konsole", "konsole"),
            ("Alacritty", "alacritty"),
            ("st-256color", "st"),
            ("org.wezfurlong.wezterm", "wezterm-gui"),
        ] {
            assert_eq!(manner(&window(app, name)), Manner::Terminal, "{app}");
        }
        for (app, name) in [
            ("Mousepad", "mousepad"),
            ("firefox", "Navigator"),
            ("Steam", "steam"),
            ("Footage", "footage"),
            ("", ""),
        ] {
            assert_eq!(manner(&window(app, name)), Manner::Plain, "{app}");
        }
    }

    #[test]
    fn a_terminal_gets_one_line_of_what_the_eye_sees() {
        let text = "git add .\r\ngit commit -m \"x\"\n\n    rm -rf build\u{1b}[201~\u{202e}\n";
        assert_eq!(
            typed(text, Manner::Terminal),
            "git add . git commit -m \"x\" rm -rf build[201~"
        );
        assert_eq!(typed("a\u{2028}b\u{85}c\td", Manner::Terminal), "a b c d");
        assert_eq!(typed("\n\u{7}\r", Manner::Terminal), "");
        assert_eq!(typed("你好，世界 👩‍💻", Manner::Terminal), "你好，世界 👩‍💻");
    }

    #[test]
    fn an_editor_gets_the_lines_as_they_are_and_no_control_characters() {
        assert_eq!(
            typed("if x:\r\n\treturn\u{1b}\u{0}\n", Manner::Plain),
            "if x:\n\treturn\n"
        );
    }

    #[test]
    fn what_may_be_pasted_into_a_terminal_holds_nothing_unseen_and_ends_with_no_line_end() {
        assert_eq!(unnamed("ls\u{202e}\r\n\tpwd\u{1b}\n \n"), "ls\n\tpwd");
        assert_eq!(unnamed("\u{1b}\n"), "");
    }

    proptest! {
        #[test]
        fn whatever_an_answer_holds_nothing_in_it_acts_in_a_terminal(text in any::<String>()) {
            let line = typed(&text, Manner::Terminal);
            let acts = |letter: char| letter.is_control() || ends_line(letter) || is_unseen(letter);
            prop_assert!(!line.contains(acts), "{line:?}");
            prop_assert_eq!(typed(&line, Manner::Terminal), line.clone());
            let lines = typed(&text, Manner::Plain);
            prop_assert!(lines.chars().all(|letter| matches!(letter, '\n' | '\t') || !letter.is_control()));
        }
    }
}
