//! Promises of this room, as tests.

use super::*;
use proptest::prelude::*;

const BALL: Size = Size {
    width: 56,
    height: 56,
};
const PANEL: Size = Size {
    width: 420,
    height: 640,
};

fn screen(area: Area) -> Screen {
    Screen {
        whole: area,
        free: area,
        primary: false,
    }
}

fn one() -> Vec<Screen> {
    vec![screen(Area::new(0, 0, 1920, 1080))]
}

#[test]
fn a_new_ball_sits_in_the_lower_right_corner_of_the_primary_screen() {
    let primary = Screen {
        primary: true,
        ..screen(Area::new(1920, 0, 1280, 1024))
    };
    let screens = [one()[0], primary];
    assert_eq!(
        ball_place(None, BALL, &screens),
        Some(Place {
            x: 3200 - 88,
            y: 1024 - 88
        })
    );
}

#[test]
fn a_ball_on_a_screen_that_is_gone_comes_back() {
    assert_eq!(
        ball_place(Some(Place { x: 3000, y: 500 }), BALL, &one()),
        Some(Place { x: 1864, y: 500 })
    );
}

#[test]
fn a_panel_opens_on_the_side_with_more_room() {
    let right = Area::new(1800, 900, 56, 56);
    assert_eq!(
        panel_place(right, PANEL, &one()),
        Some(Place {
            x: 1800 - 428,
            y: 956 - 640
        })
    );
    let left = Area::new(40, 40, 56, 56);
    assert_eq!(panel_place(left, PANEL, &one()), Some(Place { x: 104, y: 40 }));
}

#[test]
fn a_layout_has_one_name_whatever_the_order_of_its_screens() {
    let other = screen(Area::new(-1280, 56, 1280, 1024));
    assert_eq!(layout_name(&[one()[0], other]), layout_name(&[other, one()[0]]));
    assert_eq!(layout_name(&[other]), "1280x1024-1280+56");
}

#[test]
fn a_disc_is_round_and_the_corners_of_its_square_are_outside() {
    let rows = disc_rows((28.0, 28.0), 25.0);
    assert_eq!(rows.len(), 50);
    assert_eq!(rows[25].size.width, 50);
    assert!(rows[0].size.width < 12);
}

#[test]
fn a_rounded_panel_keeps_its_size_between_the_corners() {
    let rows = rounded_rows(PANEL, 12);
    assert_eq!(rows.len(), 640);
    assert_eq!(rows[320], Area::new(0, 320, 420, 1));
    assert_eq!(rows[0].size.width, rows[639].size.width);
    assert!(rows[0].size.width < 410);
}

proptest! {
    #[test]
    fn windows_never_leave_the_free_area(x in -9000..9000i32, y in -9000..9000i32) {
        let screens = [one()[0], screen(Area::new(1920, 200, 1280, 1024))];
        let place = ball_place(Some(Place { x, y }), BALL, &screens).unwrap();
        let ball = Area { place, size: BALL };
        let free = screen_of(ball, &screens).unwrap().free;
        prop_assert_eq!(free.keep_inside(place, BALL), place);
        let panel = panel_place(ball, PANEL, &screens).unwrap();
        prop_assert_eq!(free.keep_inside(panel, PANEL), panel);
    }
}

/// With a dock at the bottom.
fn docked() -> Screen {
    Screen {
        free: Area::new(0, 0, 1920, 1040),
        ..one()[0]
    }
}

#[test]
fn a_ball_that_is_let_go_rests_at_the_nearest_edge() {
    for (from, to) in [
        ((100, 500), (0, 500)),
        ((1800, 500), (1864, 500)),
        ((900, 30), (900, 0)),
        ((900, 900), (900, 984)),
        ((-40, 2000), (0, 984)),
    ] {
        let place = Place { x: from.0, y: from.1 };
        assert_eq!(
            snapped(place, BALL, &[docked()]),
            Some(Place { x: to.0, y: to.1 }),
            "{from:?}"
        );
    }
}

#[test]
fn a_ball_hides_half_of_itself_but_never_behind_a_dock_or_on_another_screen() {
    let screen = docked();
    let at = |x, y, screens: &[Screen]| tucked(Place { x, y }, BALL, screens).map(|place| (place.x, place.y));
    assert_eq!(at(0, 500, &[screen]), Some((-28, 500)));
    assert_eq!(at(1864, 500, &[screen]), Some((1892, 500)));
    assert_eq!(at(900, 984, &[screen]), None, "the dock is there");
    assert_eq!(at(900, 500, &[screen]), None, "it is at no edge");
    let right = Screen {
        whole: Area::new(1920, 0, 1280, 1024),
        free: Area::new(1920, 0, 1280, 1024),
        primary: false,
    };
    assert_eq!(at(1864, 500, &[screen, right]), None, "another screen is there");
    assert_eq!(at(3144, 500, &[screen, right]), Some((3172, 500)));
}

proptest! {
    #[test]
    fn wherever_it_is_let_go_the_ball_rests_whole_and_free(x in -5000..5000i32, y in -5000..5000i32) {
        let place = snapped(Place { x, y }, BALL, &[docked()]).unwrap();
        prop_assert_eq!(docked().free.keep_inside(place, BALL), place);
    }
}

#[test]
fn a_bar_stands_below_the_pointer_above_it_at_the_lower_edge_and_always_on_the_screen() {
    let screens = [Screen {
        whole: Area::new(0, 0, 1920, 1080),
        free: Area::new(0, 0, 1920, 1040),
        primary: true,
    }];
    let bar = Size {
        width: 400,
        height: 36,
    };
    let at = |x, y| bar_place(Place { x, y }, bar, &screens).unwrap();
    assert_eq!(at(600, 300), Place { x: 500, y: 320 });
    assert_eq!(at(600, 1020), Place { x: 500, y: 956 });
    assert_eq!(at(5, 300).x, 0);
    assert_eq!(at(1910, 300).x, 1520);
    let inside = bar_place_in(Area::new(100, 100, 800, 600), bar, &screens).unwrap();
    assert_eq!(inside, Place { x: 300, y: 632 });
}
