//! Bounds of the senses, with unit and reason.

use std::time::Duration;

/// Longer side of a sent picture, in pixels: providers scale larger pictures down and charge for the upload.
pub const PICTURE_SIDE_MAX: u32 = 1_568;

/// Longer side of the small picture in a chip, in pixels: twice the shown size, for dense displays.
pub const THUMBNAIL_SIDE_MAX: u32 = 320;

/// JPEG quality of sent and small pictures, 0–100. Small letters stay readable at 85, and a chip shows no difference
/// above 70.
pub const PICTURE_QUALITY: u8 = 85;
pub const THUMBNAIL_QUALITY: u8 = 70;

/// Pixels of one capture: four 4K monitors. A larger capture is refused before memory is taken for it.
pub const PIXELS_MAX: u64 = 34_000_000;

/// Characters of a title: window managers show no more.
pub const TITLE_CHARACTERS_MAX: usize = 300;

/// Characters of recognised or handed-over text of one look: a dense full screen has about 8,000.
pub const TEXT_CHARACTERS_MAX: usize = 20_000;

/// How long an unsent view is kept after its window lost the focus, in milliseconds (SPEC F2.2).
pub const KEPT_MS: u64 = 120_000;

/// Most milliseconds that an unsent view is kept while its window stays in front: enough for writing a long question.
pub const KEPT_IN_FRONT_MS: u64 = 1_800_000;

/// Unsent views at one time; the oldest goes when another comes. About 0.3 MB each.
pub const KEPT_MOST: usize = 8;

/// Pinned ones among them: the next look always has a place.
pub const PINNED_MOST: usize = 6;

/// Windows of one desktop that are examined; any lower ones count as excluded.
pub const WINDOWS_MAX: usize = 512;

/// Parents between a program's window and the root: window managers use one or two.
pub const NESTING_MAX: usize = 6;

/// Pieces of a window's opaque region that are read; a window with more counts as see-through.
pub const OPAQUE_PIECES_MAX: usize = 16;

/// Pieces that the visible part of an excluded window is cut into. With more pieces, the window's whole bounds are
/// blacked out.
pub const SHADE_PIECES_MAX: usize = 4_096;

/// Words of one exclusion list, and characters of one word.
pub const RULES_MAX: usize = 500;

/// Longest wait for the recognition of words: a dense full screen takes about 6 s of processor time.
pub const RECOGNISING_MAX: Duration = Duration::from_secs(20);

/// Programs on the accessibility bus, and windows of theirs, that are looked through for the one in front.
pub const ACCESSIBLE_PROGRAMS_MAX: usize = 200;
pub const ACCESSIBLE_WINDOWS_MAX: usize = 100;

/// Longest wait until the user has chosen a picture.
pub const PICTURE_GIVEN_WAIT: Duration = Duration::from_secs(180);

/// Bytes of a picture's file: an uncompressed desktop of four 4K monitors.
pub const PICTURE_FILE_BYTES_MAX: u64 = 160 << 20;

/// Longest wait for all windows of a Wayland desktop; the first time, the connection is made within it.
pub const TOPLEVELS_WAIT: Duration = Duration::from_millis(600);

/// Longest wait for the windows after one got the focus: nobody waits for them.
pub const TOPLEVEL_SETTLES: Duration = Duration::from_secs(1);

/// Objects of a window that are read: those that show, and those of the whole document. A dense page shows about 100.
pub const ACCESSIBLE_SHOWN_MAX: i32 = 200;
pub const ACCESSIBLE_WHOLE_MAX: i32 = 500;

/// Objects that are walked through where a toolkit can't match them, and levels of their tree.
pub const WALKED_OBJECTS_MAX: usize = 400;
pub const WALKED_DEPTH_MAX: usize = 40;

/// Characters of a window's whole text, and of the part that shows: as of a page.
pub const ACCESSIBLE_TEXT_CHARACTERS_MAX: usize = 100_000;
pub const ACCESSIBLE_VISIBLE_CHARACTERS_MAX: usize = 20_000;

/// Characters of a selection, and of what is told before and after it.
pub const SELECTION_CHARACTERS_MAX: usize = 20_000;
pub const AROUND_CHARACTERS: i32 = 200;

/// Objects that are asked for a selected part: what a screen shows.
pub const SELECTED_PARTS_MAX: usize = 100;

/// Fields and buttons of a window, and characters of their labels and values.
pub const FIELDS_MAX: usize = 60;
pub const BUTTONS_MAX: usize = 40;
pub const LABEL_CHARACTERS_MAX: usize = 200;
pub const VALUE_CHARACTERS_MAX: usize = 2_000;

/// Programs of which the object with the focus is remembered.
pub const FOCUSED_MAX: usize = 64;

/// Questions that wait for the thread of the accessibility bus: one summon asks two.
pub const ACCESSIBLE_QUESTIONS_MAX: usize = 16;

/// Processes whose windows were woken on the accessibility bus.
pub const WOKEN_MAX: usize = 64;

/// Longest wait for the accessibility bus where nobody waits for what is read: connecting took up to 320 ms.
pub const BUS_WAIT: Duration = Duration::from_secs(2);

/// Longest wait for putting the accessibility bus back as it was, when Shidi ends.
pub const BUS_END_WAIT: Duration = Duration::from_secs(1);

/// Bytes of the clipboard's text that are read; a longer one is told of with its end cut off.
pub const CLIPBOARD_BYTES_MAX: usize = 1 << 20;

/// Forms of a clipboard that are looked at: what marks a password may be the last of them.
pub const OFFERED_FORMS_MAX: usize = 256;

/// Longest wait for a program that pastes a text of ours and does not read it.
pub const CLIPBOARD_GIVEN_MAX: Duration = Duration::from_secs(4);

/// Bytes of the former clipboard that are kept to be given back. A picture of a 4K monitor has about 10 MB.
pub const SAVED_BYTES_MAX: usize = 15 << 20;

/// Forms of a clipboard that are kept to be given back: office programs offer about twenty.
pub const CLIPBOARD_FORMS_MAX: usize = 32;

/// Longest wait for the former clipboard before a text is inserted. A part that has not come by then is not given
/// back.
pub const INSERT_SAVED_MAX: Duration = Duration::from_secs(1);

/// Longest wait until no key is held: a person lets go of one within half a second.
pub const INSERT_KEYS_MAX: Duration = Duration::from_secs(2);

/// Longest wait until the window is in front and has the focus.
pub const INSERT_FRONT_MAX: Duration = Duration::from_secs(2);

/// Longest wait until the window has taken the text. A program that is just starting may be busy for a while.
pub const INSERT_TAKEN_MAX: Duration = Duration::from_secs(4);

/// Time without a further question after which the window has all of it: programs ask twice within a few milliseconds.
pub const INSERT_QUIET: Duration = Duration::from_millis(150);
