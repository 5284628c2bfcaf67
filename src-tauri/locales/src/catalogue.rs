//! What the build makes of `assets/locales`.

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));
