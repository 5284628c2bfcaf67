//! The PDF of a page in front. Its text is read beside the look, which does not wait for it. It joins the view when it is
//! there.

use crate::content::Sensed;
use crate::limits::PDF_MOST;
use crate::{Capture, KeptView};
use shidi_protocol::{ContentKind, ContentView, PdfContent, PdfState, Unreadable};
use std::borrow::Cow;
use std::sync::Arc;
use tokio::sync::watch;

/// A PDF that is being read, or was.
pub(crate) type PdfReading = watch::Receiver<Option<Result<Arc<PdfContent>, Unreadable>>>;

/// Begins to read the PDF of a page; `None` where the page is none.
pub(crate) fn begin(capture: &Capture, content: Option<&(Sensed, String)>) -> Option<PdfReading> {
    let (sensed, _) = content?;
    let is_pdf = sensed.content.kind == ContentKind::Pdf && !sensed.has_text();
    let page = sensed.page.as_ref().filter(|_| is_pdf)?.page.clone();
    let (pages, documents) = (Arc::clone(&capture.pages), capture.space.home.documents());
    let (sender, receiver) = watch::channel(None);
    capture.space.tasks.spawn(async move {
        let read = tokio::time::timeout(PDF_MOST, pages.pdf(&page, documents)).await;
        let read = read.unwrap_or(Err(Unreadable::TimedOut));
        sender.send_replace(Some(read.map(Arc::new)));
    });
    Some(receiver)
}

/// A content with the text of its PDF, for whoever waits for it.
pub(crate) async fn completed(capture: &Capture, content: (Sensed, String)) -> (Sensed, String) {
    let Some(mut reading) = begin(capture, Some(&content)) else {
        return content;
    };
    let read = reading.wait_for(Option::is_some).await;
    let read = read.ok().and_then(|read| read.clone()).and_then(Result::ok);
    let (sensed, url) = content;
    (joined(&sensed, read.as_deref()).into_owned(), url)
}

fn joined<'a>(sensed: &'a Sensed, read: Option<&PdfContent>) -> Cow<'a, Sensed> {
    match read {
        Some(read) => Cow::Owned(Sensed {
            source: sensed.source,
            content: read.content.clone(),
            page: sensed.page.clone(),
        }),
        None => Cow::Borrowed(sensed),
    }
}

impl KeptView {
    /// What stands in the window by now, with the address of its page.
    pub(crate) fn content_now(&self) -> Option<(Cow<'_, Sensed>, &str)> {
        let (sensed, url) = self.content.as_ref()?;
        let read = self.pdf_now().and_then(Result::ok);
        Some((joined(sensed, read.as_deref()), url))
    }

    /// What stands in the window by now, as its chip shows it.
    pub(crate) fn content_view(&self, id: &str) -> Option<ContentView> {
        let (sensed, _) = self.content_now()?;
        Some(ContentView {
            pdf: self.pdf_state(),
            ..sensed.view(id)
        })
    }

    /// Waits for the PDF that is being read; its reading has its own time limit.
    pub(crate) async fn pdf_settled(&self) {
        if let Some(mut reading) = self.pdf.clone() {
            // Whoever read it may have ended with the process: there is nothing to wait for.
            reading
                .wait_for(Option::is_some)
                .await
                .map(drop)
                .unwrap_or_default();
        }
    }

    /// Why the text of the PDF does not go along.
    pub(crate) fn pdf_unread(&self) -> Option<Unreadable> {
        self.pdf_now()?.err()
    }

    fn pdf_state(&self) -> Option<PdfState> {
        self.pdf.as_ref()?;
        Some(match self.pdf_now() {
            None => PdfState::Reading,
            Some(Ok(read)) => PdfState::Read {
                pages: read.pages,
                bytes: read.bytes,
            },
            Some(Err(reason)) => PdfState::Unread { reason },
        })
    }

    fn pdf_now(&self) -> Option<Result<Arc<PdfContent>, Unreadable>> {
        self.pdf.as_ref().and_then(|reading| reading.borrow().clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::{Content, ContentPart, ContentSource, LookAt};
    use shidi_senses::Seen;
    use shidi_space::clock;

    fn kept(reading: PdfReading) -> KeptView {
        let content = Content {
            kind: ContentKind::Pdf,
            title: "tides.pdf".to_owned(),
            ..Content::default()
        };
        let sensed = Sensed {
            source: ContentSource::Companion,
            content,
            page: None,
        };
        KeptView {
            what: LookAt::Facts,
            time: clock::now(),
            seen: Seen::default(),
            picture: None,
            content: Some((sensed, "https://a.example/tides.pdf".to_owned())),
            pdf: Some(reading),
            words: None,
        }
    }

    #[tokio::test]
    async fn the_text_of_a_pdf_joins_its_view_when_it_is_read() {
        let (sender, reading) = watch::channel(None);
        let kept = kept(reading);
        let before = kept.content_view("v").unwrap();
        assert_eq!(
            (before.pdf, before.part),
            (Some(PdfState::Reading), ContentPart::Nothing)
        );
        let content = Content {
            kind: ContentKind::Pdf,
            text: "[p. 1]\nThe harbour falls dry".to_owned(),
            ..Content::default()
        };
        let read = PdfContent {
            content,
            pages: 1,
            bytes: 900,
        };
        sender.send_replace(Some(Ok(Arc::new(read))));
        kept.pdf_settled().await;
        let after = kept.content_view("v").unwrap();
        assert_eq!(after.pdf, Some(PdfState::Read { pages: 1, bytes: 900 }));
        assert_eq!(after.part, ContentPart::Whole);
        assert!(after.parts[0].preview.contains("falls dry"), "{after:?}");
    }

    #[tokio::test]
    async fn a_pdf_that_is_not_read_says_why_and_its_title_goes_along_alone() {
        let (sender, reading) = watch::channel(None);
        let kept = kept(reading);
        sender.send_replace(Some(Err(Unreadable::Locked)));
        let view = kept.content_view("v").unwrap();
        let reason = Unreadable::Locked;
        assert_eq!(
            (view.pdf, view.part),
            (Some(PdfState::Unread { reason }), ContentPart::Nothing)
        );
        assert_eq!(kept.pdf_unread(), Some(Unreadable::Locked));
    }

    #[tokio::test]
    async fn a_reading_that_ended_with_its_process_keeps_nobody_waiting() {
        let (sender, reading) = watch::channel(None);
        drop(sender);
        kept(reading).pdf_settled().await;
    }
}
