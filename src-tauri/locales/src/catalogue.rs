//! The build's result from `assets/locales`.

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));
