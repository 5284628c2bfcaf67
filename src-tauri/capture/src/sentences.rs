//! Sentences for people about looking: refusals with their way out, troubles, notices.

use shidi_locales::Language;
use shidi_protocol::{ErrorCode, Unreadable, UserError};
use shidi_senses::{InsertError, Manner, PINNED_MOST, Reason, SenseError, Unpinned};
use shidi_space::errors::{error, unreadable};

/// Why nothing was kept.
pub fn refused(language: Language, reason: Reason, app: &str) -> String {
    let app = if app.is_empty() {
        language.capture().this_program()
    } else {
        app
    };
    match reason {
        Reason::Paused => paused(language),
        Reason::OwnWindow => language.capture().own_window().to_owned(),
        Reason::App => language.capture().excluded_program(app),
        Reason::Title => language.capture().excluded_title(app),
        Reason::Site => language.capture().excluded_site().to_owned(),
        Reason::Secret => language.capture().excluded_secret().to_owned(),
    }
}

pub fn paused(language: Language) -> String {
    language.capture().paused().to_owned()
}

/// Why a program's look at a window was given up.
pub fn private(language: Language) -> String {
    language.capture().private_for_programs().to_owned()
}

pub fn nothing_in_front(language: Language) -> String {
    language.capture().nothing_in_front().to_owned()
}

/// No browser tells of a page.
pub fn no_page(language: Language) -> String {
    language.capture().no_page().to_owned()
}

/// Nothing is selected in the window in front, or no selection may be read.
pub fn no_selection(language: Language, is_read: bool) -> String {
    let say = language.capture();
    let why = if is_read {
        say.no_selection()
    } else {
        say.selection_off()
    };
    why.to_owned()
}

/// The user keeps to himself which window is in front.
pub fn window_off(language: Language) -> String {
    language.capture().window_off().to_owned()
}

/// Trouble of the senses, with its remedy.
pub fn explain(language: Language, cause: &SenseError) -> UserError {
    let say = language.capture();
    let (message, hint) = match cause {
        SenseError::NoDisplay => (say.no_display().to_owned(), say.run_in_desktop_session()),
        SenseError::Wayland => (say.wayland().to_owned(), say.attach_instead()),
        SenseError::NoDataControl => (say.clipboard_wayland().to_owned(), say.clipboard_wayland_hint()),
        SenseError::NotGiven => (say.picture_not_given().to_owned(), say.choose_picture()),
        SenseError::NoPortal => (say.no_portal().to_owned(), say.install_portal()),
        SenseError::NotHere => (say.not_here().to_owned(), say.attach_instead()),
        SenseError::NothingInFront => (say.nothing_in_front().to_owned(), say.click_window_first()),
        SenseError::OffScreen => (say.off_screen().to_owned(), say.choose_part()),
        SenseError::Display(detail) | SenseError::Picture(detail) | SenseError::Recognising(detail) => {
            (say.look_failed(detail), say.try_again_or_attach())
        }
    };
    error(ErrorCode::System, message, hint)
}

/// Why a text does not stand in a window, and what to do.
pub fn not_inserted(language: Language, cause: &InsertError) -> UserError {
    let say = language.capture();
    let (message, hint) = match cause {
        InsertError::OnClipboard { app, manner } => return on_clipboard(language, app, *manner),
        InsertError::Part {
            characters,
            of,
            is_copied,
        } => return taken_in_part(language, (*characters, *of), *is_copied),
        InsertError::Gone => (say.insert_gone(), say.insert_copy_instead()),
        InsertError::NotInFront => (say.insert_not_in_front(), say.insert_copy_instead()),
        InsertError::KeysHeld => (say.insert_keys_held(), say.insert_let_go()),
        InsertError::NotTaken => (say.insert_not_taken(), say.insert_paste()),
        InsertError::Empty => (say.insert_empty(), say.insert_copy_instead()),
        InsertError::Sense(SenseError::Wayland) => (say.insert_wayland(), say.insert_copy_instead()),
        InsertError::Sense(cause) => return explain(language, cause),
    };
    error(ErrorCode::NotFound, message, hint)
}

/// The text waits on the clipboard for the user, who knows where it belongs.
fn on_clipboard(language: Language, app: &str, manner: Manner) -> UserError {
    let say = language.capture();
    let keys = match manner {
        Manner::Plain => "Ctrl+V",
        Manner::Terminal => "Ctrl+Shift+V",
    };
    let hint = match app {
        "" => say.insert_paste().to_owned(),
        app => say.insert_press_keys(app, keys),
    };
    error(ErrorCode::NotFound, say.insert_on_clipboard(), hint)
}

/// A part of the text stands in the field, which holds no more.
fn taken_in_part(language: Language, (characters, of): (usize, usize), is_copied: bool) -> UserError {
    let say = language.capture();
    let hint = if is_copied {
        say.insert_part_copied()
    } else {
        say.insert_copy_instead()
    };
    error(ErrorCode::NotFound, say.insert_part(of, characters), hint)
}

/// More text than is put into a window.
pub fn too_long(language: Language, most: usize) -> UserError {
    let say = language.capture();
    error(
        ErrorCode::Input,
        say.insert_too_long(most),
        say.insert_copy_instead(),
    )
}

/// A view that is not kept any more.
pub fn gone(language: Language) -> UserError {
    error(
        ErrorCode::NotFound,
        language.capture().view_gone(),
        language.capture().look_again(),
    )
}

/// Why a view is not pinned.
pub fn not_pinned(language: Language, cause: Unpinned) -> UserError {
    match cause {
        Unpinned::Gone => gone(language),
        Unpinned::TooMany => error(
            ErrorCode::Input,
            language.capture().pinned_full(PINNED_MOST),
            language.capture().let_one_go(),
        ),
    }
}

/// Too many views with one question.
pub fn too_many(language: Language, most: usize) -> UserError {
    error(
        ErrorCode::Input,
        language.capture().views_at_most(most),
        language.capture().remove_views(),
    )
}

/// What the user is told when a picture can't go to the model; `None` is the offline planner.
pub fn no_pictures(language: Language, model: Option<&str>, has_words: bool) -> String {
    let say = language.capture();
    match (model, has_words) {
        (Some(model), true) => say.model_takes_no_pictures(model),
        (Some(model), false) => say.model_takes_no_pictures_no_words(model),
        (None, true) => say.planner_takes_no_pictures().to_owned(),
        (None, false) => say.planner_takes_no_pictures_no_words().to_owned(),
    }
}

/// What the user is told when a browser's window that nothing vouches for was sent.
pub fn may_be_private(language: Language) -> String {
    language.capture().may_be_private().to_owned()
}

/// What the user is told when the text of the PDF in front did not go along.
pub fn pdf_unread(language: Language, reason: Unreadable) -> String {
    language.capture().pdf_unread(unreadable(language, reason))
}

/// What the user is told when the context that came along was kept back.
pub fn kept_back(language: Language, reason: Reason) -> String {
    let why = refused(language, reason, "");
    language.capture().context_was_not_sent(why)
}
