//! Tells what would be sent of something, before it is sent, with its progress. What is no file yet (pasted text and
//! pictures, addresses) becomes one in the data folder first.

use crate::described;
use crate::limits::{PASTED_FILE_BYTES_MAX, PASTED_PICTURE_BYTES_MAX};
use base64::Engine as _;
use shidi_protocol::{AttachSource, Attachment, ErrorCode, Reply, Unreadable, UserError};
use shidi_space::Space;
use shidi_space::attachment_store::keep;
use shidi_space::download::{Download, Downloaded};
use shidi_space::limits::REPLIES_QUEUED;
use shidi_space::progress::ProgressReporter;
use shidi_space::words::error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::mpsc;

/// Starts the inspection; its replies come as it goes on.
///
/// # Errors
/// None yet: what goes wrong comes as a reply.
pub fn inspect(
    space: &Arc<Space>,
    download: &'static dyn Download,
    source: AttachSource,
) -> Result<mpsc::Receiver<Reply>, UserError> {
    let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
    let space = Arc::clone(space);
    space.clone().tasks.spawn(async move {
        let reply = match inspected((&space, download), source, &sender).await {
            Ok(attachment) => Reply::Inspected { attachment },
            Err(error) => Reply::Failed { error },
        };
        if sender.send(reply).await.is_err() {
            tracing::debug!("nobody waited for the attachment");
        }
    });
    Ok(receiver)
}

async fn inspected(
    (space, download): (&Arc<Space>, &dyn Download),
    source: AttachSource,
    sender: &mpsc::Sender<Reply>,
) -> Result<Attachment, UserError> {
    let words = space.words();
    let path = match source {
        AttachSource::Path { path } => PathBuf::from(path),
        AttachSource::Text { text, name } => pasted_text(space, &text, name)?,
        AttachSource::Image { base64, mime, name } => pasted_picture(space, &base64, &mime, name)?,
        AttachSource::Url { url } => {
            let mut told = ProgressReporter::new(sender, words.pick("正在下载", "Fetching"));
            match download.download(space, &url, &mut told).await? {
                Downloaded::Kept(path) => path,
                Downloaded::Unreachable { reason, detail } => {
                    return Ok(unreachable_address(&url, reason, detail));
                }
            }
        }
    };
    let mut told = ProgressReporter::new(sender, words.pick("正在读取", "Reading"));
    let library = space.library.clone();
    let reading = tokio::task::spawn_blocking(move || {
        let attached =
            shidi_toolkits::attach(&path, library.as_ref(), &mut |done, total| told.tell(done, total));
        described(attached).1
    });
    reading
        .await
        .map_err(|cause| shidi_space::words::internal(words, &cause.to_string()))
}

fn pasted_text(space: &Space, text: &str, name: Option<String>) -> Result<PathBuf, UserError> {
    let default = || format!("{}.txt", space.words().pick("粘贴的文字", "Pasted text"));
    check_size(space, text.len(), PASTED_FILE_BYTES_MAX)?;
    keep(space, &name.unwrap_or_else(default), text.as_bytes(), None)
}

fn pasted_picture(
    space: &Space,
    base64: &str,
    mime: &str,
    name: Option<String>,
) -> Result<PathBuf, UserError> {
    let words = space.words();
    check_size(space, base64.len() / 4 * 3, PASTED_PICTURE_BYTES_MAX)?;
    let decoded = base64::engine::general_purpose::STANDARD.decode(base64);
    let bytes = decoded.map_err(|cause| {
        error(
            ErrorCode::Input,
            format!(
                "{}: {cause}",
                words.pick("这张图片的编码不对", "The picture's encoding is wrong")
            ),
            words.pick("把它存成文件再附上", "Save it as a file and attach that"),
        )
    })?;
    let ending = mime.strip_prefix("image/").unwrap_or("png");
    let default = || format!("{}.{ending}", words.pick("粘贴的图片", "Pasted picture"));
    keep(space, &name.unwrap_or_else(default), &bytes, None)
}

fn check_size(space: &Space, bytes: usize, bytes_max: usize) -> Result<(), UserError> {
    if bytes <= bytes_max {
        return Ok(());
    }
    let words = space.words();
    Err(error(
        ErrorCode::Input,
        format!(
            "{}: {} MB",
            words.pick("粘贴的内容太大", "What was pasted is too large"),
            bytes >> 20
        ),
        words.pick("把它存成文件再附上", "Save it as a file and attach that"),
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
