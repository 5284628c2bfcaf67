//! Opens the user's model file, which has no address: who serves it is named by the runtime.

use super::Models;
use crate::failure::own_detail;
use crate::listing::Listed;
use crate::presets::FILE;
use crate::profiles::Profile;
use crate::sampling::RoleSampling;
use crate::served_file::{FileServer, Outline, ServedFile, unserved};
use shidi_locales::Models as Sentences;
use shidi_protocol::ModelFailure;
use std::sync::{Arc, Weak};

impl Models {
    /// Names who serves the user's model file; the first one stays.
    pub fn serve_files_by(&self, server: &Arc<impl FileServer + 'static>) {
        let weak = Arc::downgrade(server);
        self.files.get_or_init(|| weak);
    }

    pub(super) fn file_server(&self) -> Result<Arc<dyn FileServer>, ModelFailure> {
        let server = self.files.get().and_then(Weak::upgrade);
        server.ok_or_else(|| unserved(own_detail(Sentences::no_file_server)))
    }

    /// The model of the file; its server is started when it is asked.
    pub(super) async fn open_file(&self, wished: RoleSampling) -> Result<ServedFile, ModelFailure> {
        let server = self.file_server()?;
        let outline = server.outline().await?;
        let profile = Profile {
            window: Some(outline.window),
            ..self.profile(FILE.name, &outline.name)
        };
        Ok(ServedFile {
            sampling: self.sampling(wished, profile, [FILE.name, "", &outline.name]),
            server,
            outline,
            profile,
            patience: self.settings.patience,
            http: Arc::clone(&self.http),
        })
    }

    /// The one model that a file holds.
    pub(super) async fn list_file(&self) -> Result<Vec<Listed>, ModelFailure> {
        let Outline { name, window } = self.file_server()?.outline().await?;
        Ok(vec![Listed {
            id: name,
            window: Some(window),
            ..Listed::default()
        }])
    }
}
