//! Large pixels: every window is drawn at the scale of the desktop. It runs in a desktop of its own, whose programs are told
//! to draw double.

use super::{Fixture, PANEL};
use crate::fixture::run_again;
use crate::webdriver::Driven;
use shidi_tests::screen::Seen;

const SCALE_VARIABLE: &str = "GDK_SCALE";
const DOUBLE: &str = "2";

#[test]
fn panel_and_workbench_are_drawn_at_the_scale_of_the_desktop() {
    const NAME: &str = "scaling::panel_and_workbench_are_drawn_at_the_scale_of_the_desktop";
    if std::env::var_os(SCALE_VARIABLE).is_none_or(|scale| scale != DOUBLE) {
        return run_again(NAME, SCALE_VARIABLE, DOUBLE);
    }
    let fixture = Fixture::new();
    let (driven, _ball) = fixture.driven();
    fixture.press_hotkey();
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    expect_double(&driven, panel);
    fixture.type_keys("ctrl+e");
    let bench = fixture.screen.await_window("Shidi workbench").unwrap();
    fixture.screen.await_focus(bench.window).unwrap();
    driven.turn_to("workbench.html").unwrap();
    expect_double(&driven, fixture.screen.see(bench.window).unwrap());
    fixture.picture("workbench-double");
}

/// Two pixels of the screen for one of the page, each way: by the page's word, and by its width in the window's.
fn expect_double(driven: &Driven, window: Seen) {
    let is_double = format!(
        "const facts = [devicePixelRatio, innerWidth * 2 - {}, visualViewport.width - innerWidth]; \
         return facts[0] === 2 && Math.abs(facts[1]) < 2 && Math.abs(facts[2]) < 1 ? true : facts",
        window.width
    );
    driven
        .await_true("a pixel of the page is two of the screen", &is_double)
        .unwrap();
}
