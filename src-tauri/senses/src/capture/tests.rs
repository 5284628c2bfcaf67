//! Promises of a look, on a desktop drawn by the tests.

use super::*;
use crate::{Order, Paused, Rules};
use proptest::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const OWN: u32 = 1;

/// A desktop of 100 × 80 whose windows are filled with their number.
#[derive(Clone, Debug)]
struct Desk {
    windows: Vec<StandingWindow>,
    front: u32,
    composited: Composited,
    menus: Menus,
    /// Whether the user chooses what a picture shows.
    chosen: bool,
    stacks: bool,
    /// Windows of the second listing and all later ones.
    later: Arc<Mutex<Option<Vec<StandingWindow>>>>,
    /// Pictures that were taken of it.
    taken: Arc<AtomicUsize>,
}

fn area(x: i32, y: i32, width: u32, height: u32) -> Area {
    Area { x, y, width, height }
}

fn standing(id: u32, app: &str, title: &str, bounds: Area) -> StandingWindow {
    StandingWindow {
        window: FrontWindow {
            id,
            app: app.to_owned(),
            names: vec![app.to_owned()],
            title: title.to_owned(),
            pid: Some(if app == "shidi-desktop" { OWN } else { 100 + id }),
            bounds,
        },
        whole: bounds,
        opaque: vec![bounds],
        managed: true,
    }
}

impl Desk {
    fn of(windows: Vec<StandingWindow>, front: u32) -> Self {
        Self {
            windows,
            front,
            composited: Composited::No,
            menus: Menus::Listed,
            chosen: false,
            stacks: true,
            later: Arc::default(),
            taken: Arc::default(),
        }
    }

    fn look(&self, what: LookAt) -> Outcome {
        self.try_look(what, Rules::default(), None).unwrap()
    }

    fn try_look(&self, what: LookAt, rules: Rules, before: Option<u32>) -> Result<Outcome, SenseError> {
        ScreenReader::of(Box::new(self.clone()), None).look(what, &Gate::new(rules, [OWN]), before)
    }
}

impl Sensor for Desk {
    fn front(&self) -> Result<FrontWindow, SenseError> {
        let mut all = self.windows.iter().map(|standing| &standing.window);
        all.find(|window| window.id == self.front)
            .cloned()
            .ok_or(SenseError::NothingInFront)
    }
    fn standing(&self) -> Result<Vec<StandingWindow>, SenseError> {
        let now = self.windows.clone();
        let mut later = self.later.lock().unwrap();
        Ok(match later.take() {
            Some(mut next) => {
                *later = Some(next.clone());
                if next.first().is_some_and(|window| window.window.id == 0) {
                    next.remove(0);
                    *later = Some(next.clone());
                    return Ok(now);
                }
                next
            }
            None => now,
        })
    }
    fn stacks(&self) -> bool {
        self.stacks
    }
    fn monitor(&self) -> Result<Area, SenseError> {
        Ok(self.desktop())
    }
    fn desktop(&self) -> Area {
        area(0, 0, 100, 80)
    }
    fn composited(&self) -> Composited {
        self.composited
    }
    fn menus(&self) -> Menus {
        self.menus
    }
    fn camera(&self) -> &dyn Camera {
        self
    }
    fn chooser(&self) -> Option<&dyn Chooser> {
        self.chosen.then_some(self)
    }
}

impl Chooser for Desk {
    fn picture(&self) -> Result<Pixels, SenseError> {
        Camera::area(self, area(0, 0, 10, 10))
    }
}

impl Camera for Desk {
    fn area(&self, part: Area) -> Result<Pixels, SenseError> {
        self.taken.fetch_add(1, Ordering::SeqCst);
        let mut bytes = Vec::new();
        for y in 0..i32::try_from(part.height).unwrap() {
            for x in 0..i32::try_from(part.width).unwrap() {
                let at = area(part.x + x, part.y + y, 1, 1);
                let top = self
                    .windows
                    .iter()
                    .rev()
                    .find(|window| common(window.whole, at).is_some());
                let colour = top.map_or(99, |window| u8::try_from(window.window.id).unwrap());
                bytes.extend([colour; 4]);
            }
        }
        Ok(Pixels {
            width: part.width,
            height: part.height,
            bytes,
            order: Order::Rgba,
        })
    }
    fn window(&self, window: &FrontWindow) -> Result<Pixels, SenseError> {
        self.taken.fetch_add(1, Ordering::SeqCst);
        let count = window.bounds.width * window.bounds.height * 4;
        let bytes = vec![u8::try_from(window.id).unwrap(); count as usize];
        Ok(Pixels {
            width: window.bounds.width,
            height: window.bounds.height,
            bytes,
            order: Order::Rgba,
        })
    }
}

fn seen_in(sight: Outcome) -> Seen {
    match sight {
        Outcome::Seen(seen) => seen,
        Outcome::Withheld { reason, .. } => panic!("withheld: {reason:?}"),
    }
}

/// The number of the window that is seen at a place of the desktop.
fn at(seen: &Seen, x: i32, y: i32) -> u8 {
    let (pixels, bounds) = (seen.pixels.as_ref().unwrap(), seen.bounds.unwrap());
    let place = (y - bounds.y) * i32::try_from(pixels.width).unwrap() + x - bounds.x;
    pixels.bytes[usize::try_from(place).unwrap() * 4]
}

fn desk() -> Desk {
    Desk::of(
        vec![
            standing(10, "Editor", "notes", area(0, 0, 100, 80)),
            standing(11, "KeePassXC", "Passwords", area(10, 10, 40, 40)),
            standing(12, "Terminal", "make test", area(30, 30, 40, 40)),
            standing(13, "shidi-desktop", "师弟", area(80, 60, 20, 20)),
        ],
        12,
    )
}

#[test]
fn excluded_and_own_windows_are_black_where_they_can_be_seen_and_only_there() {
    let seen = seen_in(desk().look(LookAt::Monitor));
    assert_eq!(at(&seen, 5, 5), 10);
    assert_eq!(at(&seen, 15, 15), 0, "the password manager");
    assert_eq!(at(&seen, 35, 35), 12, "what lies on it stays");
    assert_eq!(at(&seen, 90, 70), 0, "our own window");
    assert_eq!(
        (seen.blacked_out, seen.app.as_str(), seen.title.as_str()),
        (1, "Terminal", "make test")
    );
}

#[test]
fn a_see_through_window_hides_nothing() {
    let mut desk = desk();
    desk.windows[2].opaque.clear();
    let seen = seen_in(desk.look(LookAt::Monitor));
    assert_eq!(at(&seen, 35, 35), 0);
    assert_eq!(at(&seen, 60, 60), 12);
}

#[test]
fn menus_of_an_excluded_program_are_excluded_with_it() {
    let mut desk = desk();
    let mut menu = standing(14, "", "", area(60, 0, 10, 10));
    menu.window.pid = Some(111);
    menu.managed = false;
    desk.windows.push(menu);
    let seen = seen_in(desk.look(LookAt::Monitor));
    assert_eq!(at(&seen, 65, 5), 0);
}

#[test]
fn a_region_is_cut_to_the_screen_and_one_outside_is_told() {
    let seen = seen_in(desk().look(LookAt::Region {
        x: -5,
        y: -5,
        width: 20,
        height: 20,
    }));
    assert_eq!(seen.bounds, Some(area(0, 0, 15, 15)));
    assert_eq!((at(&seen, 3, 3), at(&seen, 12, 12)), (10, 0));
    for (x, width) in [(200, 5), (0, 0)] {
        let looked = desk().try_look(
            LookAt::Region {
                x,
                y: 0,
                width,
                height: 5,
            },
            Rules::default(),
            None,
        );
        assert_eq!(looked, Err(SenseError::OffScreen));
    }
}

#[test]
fn nothing_that_a_program_does_by_itself_takes_a_picture() {
    let desk = desk();
    let gate = Gate::new(Rules::default(), [OWN]);
    let reader = ScreenReader::of(Box::new(desk.clone()), None);
    // What follows the windows, what a summon looks at, and what is read or listed without a picture.
    let followed = desk.windows.iter().map(|seen| fact(&seen.window, &gate));
    let followed: Vec<Outcome> = followed.collect();
    assert_eq!(followed.len(), desk.windows.len());
    for what in [LookAt::Facts, LookAt::Page, LookAt::Form, LookAt::Selection] {
        assert_eq!(seen_in(reader.look(what, &gate, None).unwrap()).pixels, None);
    }
    assert!(reader.readable(&gate, None).is_some());
    assert!(!reader.windows(&gate, None).unwrap().windows.is_empty());
    assert_eq!(desk.taken.load(Ordering::SeqCst), 0);
    for what in [LookAt::Window, LookAt::Monitor] {
        reader.look(what, &gate, None).unwrap();
    }
    assert_eq!(desk.taken.load(Ordering::SeqCst), 2, "pictures are counted");
}

#[test]
fn the_window_before_ours_is_the_one_in_front() {
    let mut desk = desk();
    desk.front = 13;
    let seen = seen_in(desk.try_look(LookAt::Facts, Rules::default(), Some(10)).unwrap());
    assert_eq!((seen.app.as_str(), seen.pixels), ("Editor", None));
    let seen = seen_in(desk.try_look(LookAt::Facts, Rules::default(), Some(77)).unwrap());
    assert_eq!(
        seen.app, "Terminal",
        "one that has gone is followed by the topmost"
    );
}

#[test]
fn without_an_order_no_window_is_guessed_and_one_that_is_only_remembered_says_so() {
    let mut desk = desk();
    let look =
        |desk: &Desk, before: Option<u32>| desk.try_look(LookAt::Facts, Rules::default(), before).unwrap();
    desk.front = 13;
    assert!(
        !seen_in(look(&desk, Some(10))).is_remembered,
        "windows have an order"
    );
    desk.stacks = false;
    let seen = seen_in(look(&desk, Some(10)));
    assert_eq!((seen.app.as_str(), seen.is_remembered), ("Editor", true));
    let gone = desk.try_look(LookAt::Facts, Rules::default(), Some(77));
    assert_eq!(gone, Err(SenseError::NothingInFront));
    desk.front = 10;
    assert!(!seen_in(look(&desk, None)).is_remembered);
}

#[test]
fn without_a_compositor_a_window_is_seen_as_it_lies_and_with_one_alone() {
    let mut desk = desk();
    desk.front = 10;
    let seen = seen_in(desk.look(LookAt::Window));
    assert_eq!(
        (at(&seen, 5, 5), at(&seen, 15, 15), at(&seen, 90, 70)),
        (10, 0, 0)
    );
    desk.composited = Composited::Yes;
    let seen = seen_in(desk.look(LookAt::Window));
    assert_eq!(
        (at(&seen, 15, 15), at(&seen, 90, 70), seen.blacked_out),
        (10, 10, 0)
    );
}

#[test]
fn an_excluded_window_in_front_is_refused_with_its_reason() {
    let mut desk = desk();
    desk.front = 11;
    for what in [LookAt::Window, LookAt::Facts] {
        let refused = Outcome::Withheld {
            reason: Reason::App,
            app: "KeePassXC".to_owned(),
        };
        assert_eq!(desk.look(what), refused);
    }
    let seen = seen_in(desk.look(LookAt::Monitor));
    assert_eq!((seen.app.as_str(), at(&seen, 15, 15)), ("", 0));
}

#[test]
fn a_page_that_comes_up_while_the_picture_is_taken_is_not_kept() {
    let desk = desk();
    let mut after = desk.windows.clone();
    after[2].window.title = "Online Banking".to_owned();
    // The first listing is the earlier one.
    after.insert(0, standing(0, "", "", area(0, 0, 1, 1)));
    *desk.later.lock().unwrap() = Some(after.clone());
    assert!(matches!(
        desk.look(LookAt::Window),
        Outcome::Withheld {
            reason: Reason::Title,
            ..
        }
    ));
    *desk.later.lock().unwrap() = Some(after);
    let seen = seen_in(desk.look(LookAt::Monitor));
    assert_eq!(at(&seen, 60, 60), 0);
}

#[test]
fn a_browser_in_the_picture_is_told_and_by_itself_only_its_name() {
    let mut desk = desk();
    desk.windows.push(standing(
        15,
        "Chromium",
        "secret wish - Chromium",
        area(60, 0, 20, 20),
    ));
    desk.front = 15;
    assert!(seen_in(desk.look(LookAt::Monitor)).may_be_private);
    assert!(
        !seen_in(desk.look(LookAt::Region {
            x: 0,
            y: 0,
            width: 9,
            height: 9
        }))
        .may_be_private
    );
    let seen = seen_in(desk.look(LookAt::Facts));
    assert_eq!(
        (seen.app.as_str(), seen.title.as_str(), seen.name_only),
        ("Chromium", "", true)
    );
}

#[test]
fn an_empty_desktop_has_a_monitor_and_no_window() {
    let desk = Desk::of(Vec::new(), 0);
    assert_eq!(
        desk.try_look(LookAt::Window, Rules::default(), None),
        Err(SenseError::NothingInFront)
    );
    assert_eq!(at(&seen_in(desk.look(LookAt::Monitor)), 50, 50), 99);
}

proptest! {
    #[test]
    fn no_pixel_of_an_excluded_or_own_window_is_ever_seen(
        places in prop::collection::vec((-20..90i32, -20..70i32, 1..60u32, 1..60u32, 0..4usize, any::<bool>()), 0..10),
        x in -10..90i32, y in -10..70i32, width in 1..100u32, height in 1..100u32,
    ) {
        let kinds = ["Editor", "KeePassXC", "shidi-desktop", "Bank"];
        let windows = places.iter().enumerate().map(|(place, (x, y, width, height, kind, managed))| {
            let title = if kinds[*kind] == "Bank" { "网上银行" } else { "x" };
            let id = 10 + u32::try_from(place).unwrap();
            StandingWindow { managed: *managed, ..standing(id, kinds[*kind], title, area(*x, *y, *width, *height)) }
        });
        let windows: Vec<StandingWindow> = windows.collect();
        let hidden: Vec<u8> = windows.iter().filter(|window| window.window.app != "Editor")
            .map(|window| u8::try_from(window.window.id).unwrap()).collect();
        let desk = Desk::of(windows, 0);
        if let Ok(Outcome::Seen(seen)) = desk.try_look(LookAt::Region { x, y, width, height }, Rules::default(), None) {
            for pixel in seen.pixels.unwrap().bytes.chunks_exact(4) {
                prop_assert!(!hidden.contains(&pixel[0]));
            }
        }
    }

    #[test]
    fn paused_sees_nothing_whatever_is_asked(x in -10..90i32, width in 0..100u32, which in 0..4usize) {
        let rules = Rules::new(Paused::Yes, "", "", "");
        let what = [LookAt::Facts, LookAt::Monitor, LookAt::Window, LookAt::Region { x, y: 0, width, height: 9 }][which];
        let looked = desk().try_look(what, rules, None).unwrap();
        prop_assert_eq!(looked, Outcome::Withheld { reason: Reason::Paused, app: String::new() });
    }
}

#[test]
fn where_menus_are_not_listed_an_excluded_program_in_front_withholds_the_whole_desktop() {
    let windows = vec![
        standing(2, "Editor", "notes", area(0, 0, 50, 80)),
        standing(3, "KeePassXC", "Passwords", area(50, 0, 50, 80)),
    ];
    let mut desk = Desk::of(windows, 3);
    desk.menus = Menus::Unlisted;
    let withheld = Outcome::Withheld {
        reason: Reason::App,
        app: "KeePassXC".to_owned(),
    };
    let region = LookAt::Region {
        x: 0,
        y: 0,
        width: 40,
        height: 40,
    };
    assert_eq!(desk.look(LookAt::Monitor), withheld);
    assert_eq!(desk.look(region), withheld);
    // Behind another program it has no menu open, so it is only blacked out.
    desk.front = 2;
    let Outcome::Seen(seen) = desk.look(LookAt::Monitor) else {
        panic!("nothing was seen");
    };
    assert_eq!(seen.blacked_out, 1);
}

#[test]
fn the_text_is_read_only_of_a_window_that_is_neither_excluded_nor_ours_nor_possibly_private() {
    let mut desk = desk();
    let readable = |desk: &Desk, rules: Rules, before: Option<u32>| {
        let reader = ScreenReader::of(Box::new(desk.clone()), None);
        reader
            .readable(&Gate::new(rules, [OWN]), before)
            .map(|window| window.id)
    };
    assert_eq!(readable(&desk, Rules::default(), None), Some(12));
    assert_eq!(readable(&desk, Rules::new(Paused::Yes, "", "", ""), None), None);
    // Ours has the focus: it is the one before that is read.
    desk.front = 13;
    assert_eq!(readable(&desk, Rules::default(), Some(10)), Some(10));
    desk.front = 11;
    assert_eq!(readable(&desk, Rules::default(), None), None);
    desk.windows.push(standing(
        15,
        "Chromium",
        "secret wish - Chromium",
        area(60, 0, 20, 20),
    ));
    desk.front = 15;
    assert_eq!(readable(&desk, Rules::default(), None), None);
}

#[test]
fn windows_are_listed_from_the_one_in_front_and_excluded_ones_are_left_out() {
    let windows = vec![
        standing(2, "Mousepad", "notes", area(0, 0, 40, 40)),
        standing(3, "KeePassXC", "Passwords", area(10, 10, 40, 40)),
        standing(4, "Chromium", "a private page", area(20, 20, 40, 40)),
        standing(5, "shidi-desktop", "Shidi", area(30, 30, 40, 40)),
    ];
    let desk = Desk::of(windows, 5);
    let listed = |rules: Rules, before: Option<u32>| {
        let reader = ScreenReader::of(Box::new(desk.clone()), None);
        let told = reader.windows(&Gate::new(rules, [OWN]), before).unwrap();
        let told = told.windows.into_iter().map(|seen| (seen.app, seen.title));
        told.collect::<Vec<_>>()
    };
    let named = |app: &str, title: &str| (app.to_owned(), title.to_owned());
    assert_eq!(
        listed(Rules::default(), Some(2)),
        [named("Mousepad", "notes"), named("Chromium", "")]
    );
    assert_eq!(
        listed(Rules::default(), None),
        [named("Chromium", ""), named("Mousepad", "notes")]
    );
    assert!(listed(Rules::new(Paused::Yes, "", "", ""), None).is_empty());
}

#[test]
fn a_picture_that_the_user_chose_is_seen_under_the_name_of_what_is_in_front() {
    let windows = vec![standing(2, "editor", "notes", area(0, 0, 50, 50))];
    let desk = Desk {
        chosen: true,
        ..Desk::of(windows, 2)
    };
    for what in [LookAt::Monitor, LookAt::Window] {
        let Outcome::Seen(seen) = desk.look(what) else {
            panic!("withheld");
        };
        assert_eq!(seen.pixels.unwrap().width, 10);
        assert_eq!(
            (seen.title.as_str(), seen.bounds, seen.blacked_out),
            ("notes", None, 0)
        );
    }
}

#[test]
fn nothing_can_be_chosen_while_an_excluded_window_shows_anywhere_before_or_after() {
    let secret = || standing(3, "keepassxc", "vault", area(60, 0, 20, 20));
    let open = || standing(2, "editor", "notes", area(0, 0, 50, 50));
    let before = Desk {
        chosen: true,
        ..Desk::of(vec![secret(), open()], 2)
    };
    let sight = before.try_look(LookAt::Monitor, Rules::default(), None).unwrap();
    assert!(
        matches!(
            sight,
            Outcome::Withheld {
                reason: Reason::App,
                ..
            }
        ),
        "{sight:?}"
    );
    let mark = standing(0, "mark", "", area(0, 0, 1, 1));
    let after = Desk {
        chosen: true,
        ..Desk::of(vec![open()], 2)
    };
    *after.later.lock().unwrap() = Some(vec![mark, open(), secret()]);
    let sight = after.try_look(LookAt::Monitor, Rules::default(), None).unwrap();
    assert!(
        matches!(
            sight,
            Outcome::Withheld {
                reason: Reason::App,
                ..
            }
        ),
        "{sight:?}"
    );
}
