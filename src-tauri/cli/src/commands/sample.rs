//! `shidi sample`: a page that offers its context and tools, as any page of anybody might, over sample data.
//!
//! The page is served on this computer alone until Ctrl-C. Browsers take a page of the own computer for a secure one.

use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::interrupt::Interrupts;
use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::net::Ipv4Addr;

include!(concat!(env!("OUT_DIR"), "/samples.rs"));

/// Nothing from elsewhere is loaded, and nobody else may show the page within theirs.
const POLICY: &str =
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(value_parser = ["graphql"], default_value = "graphql")]
    name: String,
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    #[arg(long)]
    no_open: bool,
}

/// Serves the page and opens it in the user's browser.
///
/// # Errors
/// A program that was built without its pages, or a port that is taken.
pub async fn run(arguments: Arguments, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    if FILES.is_empty() {
        return Err(Failure::input(words.no_samples(), words.build_the_windows()));
    }
    let mut interrupts = Interrupts::listen();
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, arguments.port)).await;
    let listener = listener.map_err(|cause| Failure::input(words.port_taken(cause), words.choose_port()))?;
    let address = format!("http://localhost:{}/", listener.local_addr()?.port());
    if console.is_json() {
        console.json(&serde_json::json!({ "url": address }))?;
    } else {
        console.line(&address)?;
    }
    console.note(Look::Dim, &words.sample_runs(&arguments.name));
    if !arguments.no_open
        && let Err(cause) = open::that_detached(&address)
    {
        console.note(Look::Dim, &words.browser_not_opened(cause));
    }
    let served =
        axum::serve(listener, pages()).with_graceful_shutdown(async move { interrupts.pressed().await });
    served.await?;
    Ok(Exit::Done)
}

fn pages() -> Router {
    FILES.iter().fold(
        Router::new().route("/", get(|| async { page("index.html") })),
        |router, (name, _)| router.route(&format!("/{name}"), get(|| async { page(name) })),
    )
}

fn page(name: &str) -> Response {
    let Some((_, bytes)) = FILES.iter().find(|(known, _)| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => "application/octet-stream",
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, *bytes).into_response()
}
