//! What a person sees of this desktop. Layers are in no tree of windows, so the screen itself is looked at.

use std::process::Command;

/// Sum of the differences of three colours above which two pixels differ. The panel is nearly white, as windows are.
const DIFFERENT: u32 = 5;

/// A part of the screen: left, top, width and height in pixels.
pub type Part = [usize; 4];

/// The screen at one moment.
pub struct Picture {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// The screen now.
    pub fn now() -> Self {
        let taken = Command::new("grim").args(["-t", "ppm", "-"]).output().unwrap();
        assert!(
            taken.status.success(),
            "{}",
            String::from_utf8_lossy(&taken.stderr)
        );
        Self::read(&taken.stdout)
    }

    fn read(bytes: &[u8]) -> Self {
        let (mut fields, mut rest) = (Vec::new(), bytes);
        while fields.len() < 4 {
            let end = rest.iter().position(u8::is_ascii_whitespace).unwrap();
            fields.push(String::from_utf8_lossy(&rest[..end]).into_owned());
            rest = &rest[end + 1..];
        }
        assert_eq!(fields[0], "P6");
        let pixels = rest.chunks_exact(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        Self {
            width: fields[1].parse().unwrap(),
            pixels: pixels.collect(),
        }
    }

    /// How many pixels of a part look different from another picture's.
    pub fn differing(&self, other: &Self, [left, top, width, height]: Part) -> usize {
        let rows = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
        rows.filter(|(x, y)| {
            let (one, two) = (self.pixel(*x, *y), other.pixel(*x, *y));
            let apart = one.iter().zip(two).map(|(one, two)| u32::from(one.abs_diff(two)));
            apart.sum::<u32>() > DIFFERENT
        })
        .count()
    }

    fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        self.pixels[y * self.width + x]
    }
}
