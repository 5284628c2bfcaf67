//! Tells what would be sent of something, before it is sent. What is no file yet (pasted text and pictures) is
//! kept in the data folder under the hash of its content, so that pasting it twice keeps it once.

use crate::engine::Engine;
use crate::home::make_private;
use crate::limits::{KEPT_NAME_CHARACTERS, PASTED_FILE_BYTES_MAX, PICTURE_BYTES_MAX, REPLIES_QUEUED};
use crate::words::error;
use base64::Engine as _;
use sha2::{Digest, Sha256};
use shidi_protocol::{AttachSource, ErrorCode, Reply, UserError};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::mpsc;

/// Starts the inspection; its replies come as it goes on.
///
/// # Errors
/// A source that is no file and can't become one.
pub fn inspect(engine: &Arc<Engine>, source: AttachSource) -> Result<mpsc::Receiver<Reply>, UserError> {
    let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
    let engine = Arc::clone(engine);
    engine.clone().tasks.spawn_blocking(move || {
        let reply = match path_of(&engine, source) {
            Ok(path) => Reply::Inspected {
                attachment: shidi_toolkits::attach(&path),
            },
            Err(error) => Reply::Failed { error },
        };
        if sender.blocking_send(reply).is_err() {
            tracing::debug!("nobody waited for the attachment");
        }
    });
    Ok(receiver)
}

fn path_of(engine: &Engine, source: AttachSource) -> Result<PathBuf, UserError> {
    let words = engine.words;
    match source {
        AttachSource::Path { path } => Ok(PathBuf::from(path)),
        AttachSource::Text { text, name } => {
            let name = name.unwrap_or_else(|| format!("{}.txt", words.pick("粘贴的文字", "Pasted text")));
            keep(engine, &name, text.as_bytes(), PASTED_FILE_BYTES_MAX)
        }
        AttachSource::Image { base64, mime, name } => {
            let bytes = base64::engine::general_purpose::STANDARD
                .decode(base64.as_bytes())
                .map_err(|cause| {
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
            let name =
                name.unwrap_or_else(|| format!("{}.{ending}", words.pick("粘贴的图片", "Pasted picture")));
            keep(engine, &name, &bytes, PICTURE_BYTES_MAX as usize)
        }
        AttachSource::Url { url } => Err(error(
            ErrorCode::Input,
            format!(
                "{}: {url}",
                words.pick("还不能附上网址", "Addresses can't be attached yet")
            ),
            words.pick("把网页存成文件再附上", "Save the page as a file and attach that"),
        )),
    }
}

/// Keeps `bytes` as `attachments/HASH/NAME`.
fn keep(engine: &Engine, name: &str, bytes: &[u8], bytes_max: usize) -> Result<PathBuf, UserError> {
    let words = engine.words;
    if bytes.len() > bytes_max {
        return Err(error(
            ErrorCode::Input,
            format!(
                "{}: {} MB",
                words.pick("粘贴的内容太大", "What was pasted is too large"),
                bytes.len() >> 20
            ),
            words.pick("把它存成文件再附上", "Save it as a file and attach that"),
        ));
    }
    let folder = engine.home.attachments().join(hash(bytes));
    let path = folder.join(file_name(name));
    written(engine, &folder, &path, bytes).map_err(|cause| {
        error(
            ErrorCode::Storage,
            format!(
                "{} {}: {cause}",
                words.pick("写不了", "Could not write"),
                path.display()
            ),
            words.pick("检查权限和磁盘空间", "Check permissions and disk space"),
        )
    })?;
    Ok(path)
}

/// Writes beside the final name first: what is there under it is whole.
fn written(engine: &Engine, folder: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if path.is_file() {
        return Ok(());
    }
    make_private(&engine.home.attachments())?;
    make_private(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn hash(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").unwrap_or_default();
    }
    text
}

/// A name that is one: no separators, no control characters, not too long, never hidden.
fn file_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|character| match character {
            '/' | '\\' | ':' => '-',
            other if other.is_control() => ' ',
            other => other,
        })
        .take(KEPT_NAME_CHARACTERS)
        .collect();
    let plain = plain.trim().trim_start_matches('.');
    if plain.is_empty() {
        "attachment".to_owned()
    } else {
        plain.to_owned()
    }
}
