//! Tells what would be sent of something, before it is sent, with its progress. A source that is no file yet (pasted
//! text and pictures, addresses) becomes one in the data folder first.

use crate::described;
use crate::limits::{PASTED_FILE_BYTES_MAX, PASTED_PICTURE_BYTES_MAX};
use base64::Engine as _;
use shidi_protocol::{AttachSource, Attachment, ErrorCode, Reply, Unreadable, UserError};
use shidi_space::Space;
use shidi_space::blob_store::keep;
use shidi_space::download::{Download, Downloaded};
use shidi_space::errors::error;
use shidi_space::limits::REPLIES_QUEUED;
use shidi_space::progress::ProgressReporter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::mpsc;

/// Starts the inspection; its replies come as it goes on. What goes wrong comes as a reply. `source` tells what is
/// inspected, once it is there. Whoever drops the replies ends what is still fetched or read for them.
pub fn inspect(
    space: &Arc<Space>,
    download: &'static dyn Download,
    source: impl Future<Output = Result<AttachSource, UserError>> + Send + 'static,
) -> mpsc::Receiver<Reply> {
    let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
    let space = Arc::clone(space);
    space.clone().tasks.spawn(async move {
        let inspecting = async { inspected((&space, download), source.await?, &sender).await };
        let inspected = tokio::select! {
            inspected = inspecting => inspected,
            () = sender.closed() => return,
        };
        let reply = match inspected {
            Ok(attachment) => Reply::Inspected { attachment },
            Err(error) => Reply::Failed { error },
        };
        if sender.send(reply).await.is_err() {
            tracing::debug!("nobody waited for the attachment");
        }
    });
    receiver
}

async fn inspected(
    (space, download): (&Arc<Space>, &dyn Download),
    source: AttachSource,
    sender: &mpsc::Sender<Reply>,
) -> Result<Attachment, UserError> {
    let language = space.language();
    let path = match source {
        AttachSource::Path { path } => PathBuf::from(path),
        AttachSource::Text { text, name } => pasted_text(space, &text, name)?,
        AttachSource::Image { base64, mime, name } => pasted_picture(space, &base64, &mime, name)?,
        // Whoever knows servers has made a file of it before; here nobody reaches one.
        AttachSource::Resource { server, uri } => {
            return Ok(unreachable_address(&uri, Unreadable::Unreachable, server));
        }
        AttachSource::Url { url } => {
            let mut told = ProgressReporter::new(sender, language.attachments().fetching());
            match download.download(space, &url, &mut told).await? {
                Downloaded::Kept(path) => path,
                Downloaded::Unreachable { reason, detail } => {
                    return Ok(unreachable_address(&url, reason, detail));
                }
            }
        }
    };
    let mut told = ProgressReporter::new(sender, language.attachments().reading());
    let library = space.library.clone();
    let reading = tokio::task::spawn_blocking(move || {
        let attached =
            shidi_toolkits::attach(&path, library.as_ref(), &mut |done, total| told.tell(done, total));
        described(attached).1
    });
    reading
        .await
        .map_err(|cause| shidi_space::errors::internal(language, &cause.to_string()))
}

fn pasted_text(space: &Space, text: &str, name: Option<String>) -> Result<PathBuf, UserError> {
    let default = || space.language().attachments().pasted_text_name().to_owned();
    check_size(space, text.len(), PASTED_FILE_BYTES_MAX)?;
    keep(space, &name.unwrap_or_else(default), text.as_bytes(), None)
}

fn pasted_picture(
    space: &Space,
    base64: &str,
    mime: &str,
    name: Option<String>,
) -> Result<PathBuf, UserError> {
    let language = space.language();
    check_size(space, base64.len() / 4 * 3, PASTED_PICTURE_BYTES_MAX)?;
    let decoded = base64::engine::general_purpose::STANDARD.decode(base64);
    let bytes = decoded.map_err(|cause| {
        error(
            ErrorCode::Input,
            language.attachments().picture_encoding_wrong(cause),
            language.attachments().save_as_file(),
        )
    })?;
    let ending = mime.strip_prefix("image/").unwrap_or("png");
    let default = || language.attachments().pasted_picture_name(ending);
    keep(space, &name.unwrap_or_else(default), &bytes, None)
}

fn check_size(space: &Space, bytes: usize, bytes_max: usize) -> Result<(), UserError> {
    if bytes <= bytes_max {
        return Ok(());
    }
    let language = space.language();
    Err(error(
        ErrorCode::Input,
        language.attachments().pasted_too_large(bytes >> 20),
        language.attachments().save_as_file(),
    ))
}

/// An address that gave nothing stays visible, with the reason.
fn unreachable_address(url: &str, reason: Unreadable, detail: String) -> Attachment {
    let name = url.split(['?', '#']).next().unwrap_or(url);
    Attachment {
        name: Path::new(name).display().to_string(),
        kind: "unreadable".to_owned(),
        reason: Some(reason),
        detail: Some(detail),
        ..Attachment::default()
    }
}
