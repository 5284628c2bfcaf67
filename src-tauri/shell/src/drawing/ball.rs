//! Draws a look with cairo, in the geometry of the design sheet. The ball is a disc of 56 px with its rim,
//! face and badge.
//!
//! Nothing here knows a window or a mood.

use super::look::{Arc, Badge, Colour, EYE, Face, INK, Look};
use gtk::cairo::{Context, Error, FontSlant, FontWeight, LineCap, LineJoin, Operator, RadialGradient};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Edge of the window, in logical pixels.
pub const BALL_PX: i32 = 56;
/// The middle of the window, in logical pixels.
const MIDDLE: f64 = 28.0;
/// Outer radius of the rim, which is opaque and takes the pointer.
pub const EDGE_RADIUS: f64 = 25.0;
/// Middle and outer radius of the badge.
pub const BADGE: [f64; 3] = [46.0, 10.0, 9.0];
/// The ground colours of the marks on the badge.
const ON_WARN: Colour = [0.165, 0.110, 0.0];
const ON_BAD: Colour = [0.106, 0.020, 0.012];
const ON_ACCENT: Colour = [0.016, 0.145, 0.173];

/// The ground around the disc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// The desktop shows through, thanks to a compositor.
    Transparent,
    /// The window is cut to its shape, so the edge must not blend with anything.
    Cut,
}

/// Leaves nothing of the window but the desktop behind it.
///
/// # Errors
/// Errors of cairo, such as a lack of memory.
pub fn clear(cairo: &Context) -> Result<(), Error> {
    cairo.set_operator(Operator::Source);
    cairo.set_source_rgba(0.0, 0.0, 0.0, 0.0);
    cairo.paint()
}

/// Draws the look over the whole of the window.
///
/// # Errors
/// Errors of cairo, such as a lack of memory.
pub fn draw(cairo: &Context, look: &Look, ground: Ground) -> Result<(), Error> {
    cairo.set_operator(Operator::Source);
    match ground {
        Ground::Transparent => cairo.set_source_rgba(0.0, 0.0, 0.0, 0.0),
        Ground::Cut => colour(
            cairo,
            if look.dashes.is_some() {
                look.body
            } else {
                look.rim
            },
        ),
    }
    cairo.paint()?;
    cairo.set_operator(Operator::Over);
    disc(cairo, look)?;
    rim(cairo, look)?;
    if let Some(arc) = look.arc {
        ring(cairo, arc)?;
    }
    face(cairo, look)?;
    badge(cairo, look)
}

fn disc(cairo: &Context, look: &Look) -> Result<(), Error> {
    circle(cairo, MIDDLE, MIDDLE, 24.2);
    colour(cairo, look.body);
    cairo.fill()?;
    let sheen = RadialGradient::new(21.04, 16.864, 0.0, 21.04, 16.864, 37.12);
    sheen.add_color_stop_rgba(0.0, 1.0, 1.0, 1.0, 0.17);
    sheen.add_color_stop_rgba(0.9, 1.0, 1.0, 1.0, 0.0);
    circle(cairo, MIDDLE, MIDDLE, 23.2);
    cairo.set_source(&sheen)?;
    cairo.fill()
}

fn rim(cairo: &Context, look: &Look) -> Result<(), Error> {
    let [red, green, blue] = look.rim;
    cairo.set_source_rgba(red, green, blue, look.rim_opacity);
    cairo.set_line_width(2.0);
    cairo.set_line_cap(LineCap::Butt);
    cairo.set_dash(look.dashes.as_ref().map_or(&[], |dashes| dashes.as_slice()), 0.0);
    let start = 18.0_f64.to_radians();
    cairo.new_path();
    cairo.arc(MIDDLE, MIDDLE, 24.0, start, start + TAU);
    cairo.stroke()?;
    cairo.set_dash(&[], 0.0);
    Ok(())
}

fn ring(cairo: &Context, arc: Arc) -> Result<(), Error> {
    let start = arc.start * TAU - FRAC_PI_2;
    colour(cairo, super::look::ACCENT);
    cairo.set_line_width(3.0);
    cairo.set_line_cap(LineCap::Round);
    cairo.new_path();
    cairo.arc(MIDDLE, MIDDLE, 24.0, start, start + arc.length * TAU);
    cairo.stroke()
}

fn face(cairo: &Context, look: &Look) -> Result<(), Error> {
    cairo.save()?;
    cairo.translate(look.gaze[0], look.gaze[1]);
    colour(cairo, EYE);
    cairo.set_line_width(2.6);
    cairo.set_line_cap(LineCap::Round);
    cairo.set_line_join(LineJoin::Round);
    cairo.new_path();
    match look.face {
        Face::Eyes { wide } => eyes(cairo, wide)?,
        Face::Happy => {
            smile(cairo, 18.0);
            smile(cairo, 30.0);
            cairo.stroke()?;
        }
        Face::Shut => strokes(
            cairo,
            &[&[(18.4, 28.8), (25.4, 28.8)], &[(30.6, 28.8), (37.6, 28.8)]],
        )?,
        Face::Cross => strokes(
            cairo,
            &[&[(19.4, 31.0), (24.3, 26.3)], &[(36.6, 31.0), (31.7, 26.3)]],
        )?,
        Face::Tray => tray(cairo)?,
    }
    cairo.restore()
}

fn eyes(cairo: &Context, wide: f64) -> Result<(), Error> {
    cairo.translate(MIDDLE, MIDDLE);
    cairo.scale(wide, wide);
    cairo.translate(-MIDDLE, -MIDDLE);
    for left in [19.6, 31.8] {
        cairo.new_sub_path();
        cairo.arc(left + 2.3, 25.1, 2.3, PI, TAU);
        cairo.arc(left + 2.3, 30.9, 2.3, 0.0, PI);
        cairo.close_path();
    }
    cairo.fill()
}

fn smile(cairo: &Context, left: f64) {
    cairo.move_to(left, 30.2);
    cairo.curve_to(left + 0.7, 27.6, left + 2.1, 26.3, left + 4.0, 26.3);
    cairo.curve_to(left + 5.9, 26.3, left + 7.3, 27.6, left + 8.0, 30.2);
}

fn tray(cairo: &Context) -> Result<(), Error> {
    cairo.set_line_width(2.2);
    cairo.move_to(18.5, 33.0);
    cairo.line_to(18.5, 35.4);
    cairo.arc_negative(21.1, 35.4, 2.6, PI, FRAC_PI_2);
    cairo.line_to(34.9, 38.0);
    cairo.arc_negative(34.9, 35.4, 2.6, FRAC_PI_2, 0.0);
    cairo.line_to(37.5, 33.0);
    strokes(
        cairo,
        &[
            &[(28.0, 17.5), (28.0, 30.5)],
            &[(22.8, 25.6), (28.0, 30.8), (33.2, 25.6)],
        ],
    )
}

fn badge(cairo: &Context, look: &Look) -> Result<(), Error> {
    let [x, y, _] = BADGE;
    if look.badge == Badge::Absent {
        return Ok(());
    }
    circle(cairo, x, y, 8.0);
    colour(cairo, look.badge_fill);
    cairo.fill_preserve()?;
    colour(cairo, INK);
    cairo.set_line_width(2.0);
    cairo.stroke()?;
    cairo.set_line_cap(LineCap::Round);
    cairo.set_line_join(LineJoin::Round);
    match look.badge {
        Badge::Absent => Ok(()),
        Badge::Count(count) => {
            colour(cairo, ON_WARN);
            figure(cairo, count)
        }
        Badge::Bang => {
            colour(cairo, ON_BAD);
            cairo.set_line_width(1.9);
            strokes(
                cairo,
                &[&[(46.0, 6.3), (46.0, 10.5)], &[(46.0, 13.5), (46.0, 13.51)]],
            )
        }
        Badge::Bars => {
            colour(cairo, [1.0, 1.0, 1.0]);
            cairo.set_line_width(1.7);
            strokes(
                cairo,
                &[&[(44.2, 7.6), (44.2, 12.4)], &[(47.8, 7.6), (47.8, 12.4)]],
            )
        }
        Badge::Arrow => {
            colour(cairo, ON_ACCENT);
            cairo.set_line_width(1.7);
            strokes(
                cairo,
                &[
                    &[(43.3, 10.0), (48.7, 10.0)],
                    &[(46.4, 7.7), (48.7, 10.0), (46.4, 12.3)],
                ],
            )
        }
    }
}

/// Draws the badge's number. One digit fits; a number above nine becomes `9+`.
fn figure(cairo: &Context, count: u32) -> Result<(), Error> {
    let [x, y, _] = BADGE;
    let (text, size) = if count > 9 {
        ("9+".to_owned(), 8.5)
    } else {
        (count.to_string(), 10.0)
    };
    cairo.select_font_face("Inter", FontSlant::Normal, FontWeight::Bold);
    cairo.set_font_size(size);
    let extents = cairo.text_extents(&text)?;
    cairo.move_to(
        x - extents.x_bearing() - extents.width() / 2.0,
        y - extents.y_bearing() - extents.height() / 2.0,
    );
    cairo.show_text(&text)
}

fn strokes(cairo: &Context, lines: &[&[(f64, f64)]]) -> Result<(), Error> {
    for line in lines {
        cairo.new_sub_path();
        for (x, y) in *line {
            cairo.line_to(*x, *y);
        }
    }
    cairo.stroke()
}

fn circle(cairo: &Context, x: f64, y: f64, radius: f64) {
    cairo.new_path();
    cairo.arc(x, y, radius, 0.0, TAU);
}

fn colour(cairo: &Context, [red, green, blue]: Colour) {
    cairo.set_source_rgb(red, green, blue);
}

#[cfg(test)]
#[path = "ball_tests.rs"]
mod tests;
