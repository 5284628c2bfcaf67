//! Addresses that become files: what the web answers is kept in the data folder, for whoever was given the address.

use crate::fetch::fetch;
use async_trait::async_trait;
use shidi_protocol::UserError;
use shidi_space::Space;
use shidi_space::blob_store::keep;
use shidi_space::download::{Download, Downloaded};
use shidi_space::progress::ProgressReporter;

/// The web, as far as the user names its addresses.
pub struct NamedAddresses;

#[async_trait]
impl Download for NamedAddresses {
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
