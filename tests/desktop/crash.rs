//! The process that draws the panel is lost: once it comes back by itself; again and again the user is told so, with
//! what to do, and the next summon tries once more.

use super::answering::fixture_with;
use super::bus::{Notices, told};
use super::{BALL, Fixture, PANEL};
use shidi_tests::model_server::{Answer, ModelServer};
use shidi_tests::program::Program;
use shidi_tests::screen::await_some;

const PAGE: &str = "WebKitWebProcess";
/// Losses after which the page isn't loaded again by itself.
const LOSSES: usize = 4;

fn answer(text: &str) -> Answer {
    Answer::Text(text.into())
}

/// Threads that the process has once it is at work; one that is killed before it said its number takes the window
/// library down with it.
const THREADS_AT_WORK: usize = 6;

/// Kills the page's process, after a look at it, and tells its number.
fn lose_page(fixture: &Fixture, program: &Program, before: Option<u32>, look: impl Fn(u32)) -> u32 {
    let is_at_work = |page: &u32| {
        let threads = std::fs::read_dir(format!("/proc/{page}/task"));
        threads.is_ok_and(|threads| threads.count() >= THREADS_AT_WORK)
    };
    let page = await_some("the page has a process", || {
        let now = program.process_named(PAGE);
        Ok(now.filter(|now| Some(*now) != before).filter(is_at_work))
    });
    let page = page.unwrap();
    look(page);
    fixture.kill(page);
    page
}

#[test]
fn a_page_that_lost_its_process_comes_back_with_what_was_said() {
    let server = ModelServer::start([answer("It is Paris."), answer("It is the Seine.")]);
    let fixture = fixture_with(&server);
    let (program, ball) = fixture.start();
    fixture.click(ball);
    fixture.ask_blindly("which city?");
    fixture.await_requests(&server, 1);
    fixture.screen.await_window(BALL).unwrap();
    let page = lose_page(&fixture, &program, None, |_| {});
    await_some("there is a new process", || {
        Ok(program.process_named(PAGE).filter(|now| *now != page))
    })
    .unwrap();
    fixture.ask_blindly("which river?");
    fixture.await_requests(&server, 2);
    let prompt = server.last_prompt();
    assert!(
        prompt.contains("which city?") && prompt.contains("which river?"),
        "{prompt}"
    );
}

/// Whether a process has the compiler of shaders in its memory.
fn has_driver(page: u32) -> bool {
    let maps = std::fs::read_to_string(format!("/proc/{page}/maps")).unwrap_or_default();
    ["_dri.so", "libgallium", "libLLVM"]
        .iter()
        .any(|part| maps.contains(part))
}

#[test]
fn a_page_is_drawn_without_a_graphics_driver_and_gets_it_back_when_its_process_was_lost() {
    let fixture = Fixture::new();
    let (program, ball) = fixture.start();
    fixture.click(ball);
    fixture.await_panel_beside(ball);
    let page = lose_page(&fixture, &program, None, |page| assert!(!has_driver(page)));
    await_some("the new process has the driver", || {
        Ok(program
            .process_named(PAGE)
            .filter(|now| *now != page && has_driver(*now)))
    })
    .unwrap();
}

#[test]
fn a_page_that_is_lost_again_and_again_is_told_of_once_and_loaded_by_the_next_summon() {
    let server = ModelServer::start([answer("It is Paris.")]);
    let fixture = fixture_with(&server);
    let notices = Notices::start();
    let (program, ball) = fixture.start();
    fixture.click(ball);
    fixture.screen.await_window(PANEL).unwrap();
    let mut page = None;
    for _ in 0..LOSSES {
        page = Some(lose_page(&fixture, &program, page, |_| {}));
    }
    let said = told(&notices.shown);
    assert!(said.contains("The panel stopped several times"), "{said}");
    assert!(said.contains("Summon Shidi to try again"), "{said}");
    // Nothing is left standing that shows nothing; the ball says that something is wrong.
    fixture.screen.await_gone(PANEL).unwrap();
    let ball = fixture.screen.await_window("Shidi: error").unwrap();
    fixture.open_menu(ball);
    fixture.picture("menu-panel-lost");
    fixture.leave_menu(ball);
    fixture.press_hotkey();
    fixture.ask_blindly("which city?");
    fixture.await_requests(&server, 1);
    fixture.screen.await_window(BALL).unwrap();
}
