//! Addresses that become files: what the web answers is kept in the data folder, for attachments and knowledge bases alike.

use crate::blob_store::keep;
use crate::progress::ProgressReporter;
use crate::space::Space;
use async_trait::async_trait;
use shidi_protocol::UserError;
use shidi_space::download::{Download, Downloaded};
use shidi_web::fetch;

/// The web, as far as the user names its addresses.
pub struct Web;

#[async_trait]
impl Download for Web {
    async fn download(
        &self,
        space: &Space,
        url: &str,
        told: &mut ProgressReporter,
    ) -> Result<Downloaded, UserError> {
        match fetch(url, &mut |done, total| told.tell(done, total)).await {
            Ok(fetched) => {
                let path = keep(space, &fetched.name, &fetched.bytes, Some(&fetched.address))?;
                Ok(Downloaded::Kept(path))
            }
            Err(why) => Ok(Downloaded::Unreachable {
                reason: why.reason,
                detail: why.detail,
            }),
        }
    }
}
