//! Reads the content of an open page. The content is asked of the page's browser, put together from several messages,
//! and passed by the gate. Nothing is kept here, and nothing is asked twice: a browser that is silent has nothing to
//! tell.

use crate::limits::READS_MAX;
use crate::{LineId, Pages};
use shidi_mcp_client::companion::{Pieces, ToBrowser, ToldPiece};
use shidi_protocol::{Content, PageRef};
use shidi_space::privacy;
use std::time::Duration;
use tokio::sync::oneshot;

/// A page that is being read.
pub(crate) struct OpenRead {
    /// The connection that was asked: no other may answer.
    line: LineId,
    pieces: Pieces,
    answer: oneshot::Sender<Result<Content, String>>,
}

impl OpenRead {
    pub(crate) fn is_of(&self, line: LineId) -> bool {
        self.line == line
    }
}

/// Why a page was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// The page is not open in a browser that was let in.
    Closed,
    /// The browser said nothing in time.
    Silent,
    /// The browser's own words.
    Refused(String),
}

impl Pages {
    /// Reads a page as it is now, within `most`. Of a PDF its name is all; its file is read apart.
    ///
    /// # Errors
    /// Why there is no content.
    pub async fn read(&self, page: &PageRef, most: Duration) -> Result<Content, Unread> {
        if let Some(content) = self.pdf_named(page) {
            return Ok(content);
        }
        let (ask, answered) = self.ask_to_read(page).ok_or(Unread::Closed)?;
        let answered = tokio::time::timeout(most, answered).await;
        self.state.lock().reads.remove(&ask);
        match answered {
            Ok(Ok(Ok(content))) => Ok(privacy::content_passed(content)),
            Ok(Ok(Err(why))) => Err(Unread::Refused(why)),
            Ok(Err(_)) => Err(Unread::Closed),
            Err(_) => Err(Unread::Silent),
        }
    }

    fn ask_to_read(&self, page: &PageRef) -> Option<(String, oneshot::Receiver<Result<Content, String>>)> {
        let mut state = self.state.lock();
        state.page(page)?;
        if state.reads.len() >= READS_MAX {
            return None;
        }
        state.last += 1;
        let ask = format!("read-{}", state.last);
        let (answer, answered) = oneshot::channel();
        let (line, told) = state.line_and_id_of(&page.browser)?;
        told.tell(ToBrowser::Read {
            ask: ask.clone(),
            tab: page.tab,
            document: page.document.clone(),
            site: page.site.clone(),
        });
        let open = OpenRead {
            line,
            pieces: Pieces::default(),
            answer,
        };
        state.reads.insert(ask.clone(), open);
        Some((ask, answered))
    }

    /// Takes in a piece of what a page holds.
    pub(crate) fn piece(&self, line: LineId, told: ToldPiece) {
        let mut state = self.state.lock();
        let Some(open) = state.reads.get_mut(&told.ask).filter(|open| open.line == line) else {
            return;
        };
        let read = match open.pieces.take((told.index, told.count), told.piece) {
            Ok(None) => return,
            Ok(Some(content)) => Ok(content),
            Err(cause) => Err(cause),
        };
        if let Some(open) = state.reads.remove(&told.ask) {
            // Whoever asked may have waited long enough.
            open.answer.send(read).unwrap_or_default();
        }
    }

    /// A page, or the file of a PDF, was not read.
    pub(crate) fn not_read(&self, line: LineId, ask: &str, why: String) {
        let mut state = self.state.lock();
        state.not_fetched(line, ask, &why);
        if state.reads.get(ask).is_some_and(|open| open.line == line)
            && let Some(open) = state.reads.remove(ask)
        {
            open.answer.send(Err(why)).unwrap_or_default();
        }
    }
}
