//! What is kept of a document that could not be read, and for how long.

use super::*;
use tempfile::TempDir;

const HALF_AN_HOUR: Duration = Duration::from_secs(1_800);

/// A library without a reader, and a document of which it keeps a reason.
struct Fixture {
    _folder: TempDir,
    library: Library,
    document: PathBuf,
    index: PathBuf,
}

impl Fixture {
    fn new(reason: Unreadable) -> Self {
        let folder = TempDir::new().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let document = top.join("report.pdf");
        fs::write(&document, "%PDF-1.7").unwrap();
        let texts = top.join("texts");
        fs::create_dir(&texts).unwrap();
        let index = Index {
            refused: Some((reason, String::new())),
            ..Index::default()
        };
        let name = format!("{}.json", key(&document, &document.metadata().unwrap()));
        let path = texts.join(name);
        fs::write(&path, serde_json::to_vec(&index).unwrap()).unwrap();
        Self {
            library: Library::new(texts, top.join("no reader")),
            _folder: folder,
            document,
            index: path,
        }
    }

    fn written_before(&self, age: Duration) {
        let file = File::options().write(true).open(&self.index).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }

    /// The reason that is told; `NoReader` where the document was tried again.
    fn reason(&self) -> Unreadable {
        let opened = self.library.open(&self.document, &self.document, &mut |_, _| {});
        opened.unwrap_err().reason()
    }

    fn reason_in_a_search(&self) -> Unreadable {
        let opened = self.library.open_for_search(&self.document, &self.document);
        opened.unwrap_err().reason()
    }
}

#[test]
fn a_document_that_took_too_long_is_tried_again_after_a_while_and_not_at_once() {
    let kept = Fixture::new(Unreadable::TimedOut);
    assert_eq!(kept.reason(), Unreadable::TimedOut);
    kept.written_before(HALF_AN_HOUR);
    assert_eq!(
        kept.reason_in_a_search(),
        Unreadable::TimedOut,
        "a search waits longer"
    );
    assert_eq!(kept.reason(), Unreadable::NoReader);
    kept.written_before(LATE_DOCUMENT_SEARCHED_AGAIN);
    assert_eq!(kept.reason_in_a_search(), Unreadable::NoReader);
}

#[test]
fn a_clock_that_was_set_back_keeps_no_document_from_being_tried_again() {
    let kept = Fixture::new(Unreadable::TimedOut);
    let file = File::options().write(true).open(&kept.index).unwrap();
    file.set_modified(SystemTime::now() + HALF_AN_HOUR).unwrap();
    assert_eq!(kept.reason(), Unreadable::NoReader);
}

#[test]
fn a_damaged_document_stays_so_until_it_changes() {
    let kept = Fixture::new(Unreadable::Broken);
    kept.written_before(LATE_DOCUMENT_SEARCHED_AGAIN * 100);
    assert_eq!(kept.reason(), Unreadable::Broken);
    fs::write(&kept.document, "%PDF-1.7 and more").unwrap();
    assert_eq!(kept.reason(), Unreadable::NoReader);
}
