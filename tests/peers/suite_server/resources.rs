//! The suite's resources: a text, a picture, one that is followed, and a form of addresses.

use crate::content::PICTURE;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

pub fn all() -> Vec<Resource> {
    let listed = json!([
        {"uri": "test://static-text", "name": "Static text", "description": "A text", "mimeType": "text/plain"},
        {"uri": "test://static-binary", "name": "Static binary", "description": "A picture", "mimeType": "image/png"},
        {"uri": "test://watched-resource", "name": "Watched", "description": "One that changes", "mimeType": "text/plain"},
    ]);
    serde_json::from_value(listed).expect("resources")
}

pub fn templates() -> Vec<ResourceTemplate> {
    let listed = json!([{
        "uriTemplate": "test://template/{id}/data",
        "name": "Data",
        "description": "The data of an id",
        "mimeType": "application/json",
    }]);
    serde_json::from_value(listed).expect("templates")
}

pub fn read(address: &str) -> Option<Vec<ResourceContents>> {
    let contents = match address {
        "test://static-text" => {
            ResourceContents::text("This is the content of the static text resource.", address)
        }
        "test://static-binary" => ResourceContents::blob(PICTURE, address).with_mime_type("image/png"),
        "test://watched-resource" => ResourceContents::text("Watched.", address),
        other => {
            let id = other.strip_prefix("test://template/")?.strip_suffix("/data")?;
            let said = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            ResourceContents::text(said.to_string(), address).with_mime_type("application/json")
        }
    };
    Some(vec![contents])
}
