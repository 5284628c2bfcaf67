//! PDFs that browsers show. Their viewers let nobody read what they show, so the file itself is read.
//!
//! A file of the web is fetched once more by its browser, as its user. A file of the disk is named by its path, and read
//! where it lies. Nobody looks into either here.

use crate::calls::site_of;
use crate::limits::FETCHES_MAX;
use crate::reading::Unread;
use crate::{LineId, Pages, State};
use shidi_mcp_client::companion::{OpenPage, PdfPieces, ToBrowser, ToldPiece};
use shidi_protocol::{Content, ContentKind, PageRef, PdfContent};
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::oneshot;

/// The site of all files of the disk.
const FILES: &str = "file://";

/// The file of a PDF that a browser shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PdfFile {
    /// As the browser fetched it.
    Fetched(Vec<u8>),
    /// As it lies on the disk: nobody has looked yet whether it is a PDF.
    OnDisk(PathBuf),
}

/// Where the file of a PDF comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PdfPlace {
    Browser,
    Disk(PathBuf),
}

/// A file, or the browser's own word for why there is none.
type FetchedFile = Result<Vec<u8>, String>;

/// A file that a browser fetches.
pub(crate) struct OpenFetch {
    /// The connection that was asked: no other may answer.
    line: LineId,
    pieces: PdfPieces,
    answer: oneshot::Sender<FetchedFile>,
}

impl OpenFetch {
    pub(crate) fn is_of(&self, line: LineId) -> bool {
        self.line == line
    }
}

/// The site of a page, and where its file comes from if it is a PDF. `None` where it is none of the web, and no PDF of
/// the disk either.
pub(crate) fn place_of(open: &OpenPage) -> Option<(String, Option<PdfPlace>)> {
    if let Some(site) = site_of(&open.url) {
        return Some((site, open.pdf.then_some(PdfPlace::Browser)));
    }
    let path = path_of(&open.url).filter(|_| open.pdf)?;
    Some((FILES.to_owned(), Some(PdfPlace::Disk(path))))
}

/// The path of a file of this computer whose name ends as that of a PDF.
fn path_of(url: &str) -> Option<PathBuf> {
    let url = reqwest::Url::parse(url).ok()?;
    let is_here = url.scheme() == "file" && !url.has_host();
    let path = url.to_file_path().ok().filter(|_| is_here)?;
    let ending = path.extension()?;
    ending.eq_ignore_ascii_case("pdf").then_some(path)
}

impl Pages {
    /// Whether the browser shows a PDF there.
    pub(crate) fn is_pdf(&self, page: &PageRef) -> bool {
        let state = self.state.lock();
        state.page(page).is_some_and(|page| page.pdf.is_some())
    }

    /// The connection on which a browser told of a page.
    pub(crate) fn line_of_page(&self, page: &PageRef) -> Option<LineId> {
        let state = self.state.lock();
        state.page(page)?;
        state.line_and_id_of(&page.browser).map(|(id, _)| id)
    }

    /// What is known of a PDF before its file is read; `None` for any other page.
    pub(crate) fn pdf_named(&self, page: &PageRef) -> Option<Content> {
        let state = self.state.lock();
        let found = state.page(page).filter(|page| page.pdf.is_some())?;
        Some(Content {
            kind: ContentKind::Pdf,
            title: found.title.clone(),
            site: found.site.clone(),
            ..Content::default()
        })
    }

    /// The file of a PDF. What a browser has to fetch is there within `most`.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) async fn pdf_file(&self, page: &PageRef, most: Duration) -> Result<PdfFile, Unread> {
        let place = self.state.lock().page(page).and_then(|page| page.pdf.clone());
        match place {
            Some(PdfPlace::Browser) => self.fetched(page, most).await.map(PdfFile::Fetched),
            Some(PdfPlace::Disk(path)) => Ok(PdfFile::OnDisk(path)),
            None => Err(Unread::Closed),
        }
    }

    async fn fetched(&self, page: &PageRef, most: Duration) -> Result<Vec<u8>, Unread> {
        let (ask, answered) = self.ask_to_fetch(page).ok_or(Unread::Closed)?;
        let answered = tokio::time::timeout(most, answered).await;
        self.state.lock().fetches.remove(&ask);
        match answered {
            Ok(Ok(fetched)) => fetched.map_err(Unread::Refused),
            Ok(Err(_)) => Err(Unread::Closed),
            Err(_) => Err(Unread::Silent),
        }
    }

    fn ask_to_fetch(&self, page: &PageRef) -> Option<(String, oneshot::Receiver<FetchedFile>)> {
        let mut state = self.state.lock();
        state.page(page)?;
        // Whoever asked may have been stopped.
        state.fetches.retain(|_, open| !open.answer.is_closed());
        if state.fetches.len() >= FETCHES_MAX {
            return None;
        }
        state.last += 1;
        let ask = format!("pdf-{}", state.last);
        let (answer, answered) = oneshot::channel();
        let (line, told) = state.line_and_id_of(&page.browser)?;
        told.tell(ToBrowser::ReadPdf {
            ask: ask.clone(),
            tab: page.tab,
            document: page.document.clone(),
            site: page.site.clone(),
        });
        let open = OpenFetch {
            line,
            pieces: PdfPieces::default(),
            answer,
        };
        state.fetches.insert(ask.clone(), open);
        Some((ask, answered))
    }

    /// Takes in a piece of a file.
    pub(crate) fn pdf_piece(&self, line: LineId, told: &ToldPiece) {
        let mut state = self.state.lock();
        let Some(open) = state.fetches.get_mut(&told.ask).filter(|open| open.line == line) else {
            return;
        };
        let fetched = match open.pieces.take((told.index, told.count), &told.piece) {
            Ok(None) => return,
            Ok(Some(file)) => Ok(file),
            Err(cause) => Err(cause),
        };
        state.answer_fetch(&told.ask, fetched);
    }

    /// The text of a PDF as it was read last, if the page is still open.
    pub(crate) fn known_pdf(&self, page: &PageRef) -> Option<PdfContent> {
        let state = self.state.lock();
        state.page(page)?;
        let (of, known) = state.last_pdf.as_ref()?;
        (of == page).then(|| known.clone())
    }

    /// Keeps the text of a PDF in memory, until another one is read or the page is closed. A file of the disk may be
    /// another one the next time: it is not kept.
    pub(crate) fn keep_pdf(&self, page: &PageRef, read: &PdfContent) {
        let mut state = self.state.lock();
        let is_kept = state
            .page(page)
            .is_some_and(|page| page.pdf == Some(PdfPlace::Browser));
        if is_kept {
            state.last_pdf = Some((page.clone(), read.clone()));
        }
    }
}

impl State {
    /// A browser tells why it has not fetched a file.
    pub(crate) fn not_fetched(&mut self, line: LineId, ask: &str, why: &str) {
        if self.fetches.get(ask).is_some_and(|open| open.line == line) {
            self.answer_fetch(ask, Err(why.to_owned()));
        }
    }

    fn answer_fetch(&mut self, ask: &str, fetched: FetchedFile) {
        if let Some(open) = self.fetches.remove(ask) {
            // Whoever asked may have waited long enough.
            open.answer.send(fetched).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(url: &str, pdf: bool) -> OpenPage {
        let page = serde_json::json!({"tab": 1, "document": "d", "url": url, "pdf": pdf});
        serde_json::from_value(page).unwrap()
    }

    #[test]
    fn a_file_of_the_disk_is_a_page_only_where_it_is_told_and_named_to_be_a_pdf_of_this_computer() {
        let place = |url: &str| place_of(&open(url, true));
        let path = PathBuf::from("/home/mei/the tides.PDF");
        assert_eq!(
            place("file:///home/mei/the%20tides.PDF#page=2"),
            Some((FILES.to_owned(), Some(PdfPlace::Disk(path))))
        );
        for url in [
            "file:///home/mei/notes.txt",
            "file:///home/mei/.pdf",
            "file://elsewhere/home/mei/tides.pdf",
            "chrome://settings/tides.pdf",
            "data:application/pdf,tides.pdf",
            "tides.pdf",
        ] {
            assert_eq!(place(url), None, "{url}");
        }
        assert_eq!(place_of(&open("file:///home/mei/tides.pdf", false)), None);
    }

    #[test]
    fn a_pdf_of_the_web_belongs_to_its_site_and_its_browser_fetches_it() {
        let site = || "https://a.example".to_owned();
        assert_eq!(
            place_of(&open("https://a.example/tides", true)),
            Some((site(), Some(PdfPlace::Browser)))
        );
        assert_eq!(
            place_of(&open("https://a.example/tides.pdf", false)),
            Some((site(), None))
        );
    }
}
