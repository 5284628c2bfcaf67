//! Every sentence that people read, in every language: `assets/locales`, as one function for each sentence.
//!
//! A language is a folder of JSON files in the format of i18next. A file is an area of the product. A key is a function
//! of that area: `language.jobs().too_many()`. The texts are compiled in. A key, gap or plural form that one language
//! lacks fails the build. Prompts are no sentences: models read them, and they lie in `assets/prompts`.

mod catalogue;
mod detection;
mod remedies;

pub use catalogue::*;
