//! `libgtk-layer-shell`, loaded while the program runs: a program that links it does not begin where it is missing.
//!
//! All unsafe code of layers stands here. Every function takes windows of GTK, which live on the main thread alone.

use crate::linux::session;
use gtk::gdk;
use gtk::prelude::*;
use libloading::{Error, Library};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

/// The library's name, with the version of its interface.
const FILE: &str = "libgtk-layer-shell.so.0";
/// Set to anything, it leaves our windows ordinary ones.
const OFF: &str = "SHIDI_NO_LAYERS";
/// The protocol's first version with a keyboard on demand.
const ON_DEMAND_SINCE: c_uint = 4;
/// An exclusive zone of a layer that bars do not push aside.
const BARS_IGNORED: c_int = -1;
const TRUE: c_int = 1;
/// The name under which a window keeps its monitor.
const MONITOR: &str = "shidi-monitor";

/// How high a layer stands; the numbers are the library's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Above windows, below full-screen ones.
    Top = 2,
    /// Above everything.
    Overlay = 3,
}

/// An edge of the monitor; the numbers are the library's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    Left = 0,
    Top = 2,
}

/// When a layer gets the keys; the numbers are the library's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyboardMode {
    /// Nobody else gets a key while the layer is shown.
    Exclusive = 1,
    /// As a window does: the user gives the keyboard to it, and takes it away.
    OnDemand = 2,
}

type OfWindow = unsafe extern "C" fn(*mut c_void);
type NumberOfWindow = unsafe extern "C" fn(*mut c_void, c_int);
type EdgeOfWindow = unsafe extern "C" fn(*mut c_void, c_int, c_int);

/// The functions of the loaded library.
pub struct LayerLibrary {
    is_supported: unsafe extern "C" fn() -> c_int,
    protocol_version: unsafe extern "C" fn() -> c_uint,
    init_for_window: OfWindow,
    set_namespace: unsafe extern "C" fn(*mut c_void, *const c_char),
    set_layer: NumberOfWindow,
    set_monitor: unsafe extern "C" fn(*mut c_void, *mut c_void),
    set_anchor: EdgeOfWindow,
    set_margin: EdgeOfWindow,
    set_exclusive_zone: NumberOfWindow,
    set_keyboard_mode: NumberOfWindow,
}

/// The library, where it, the compositor's protocol and the user's leave are there. Main thread only, once the
/// display is open.
pub fn get() -> Option<&'static LayerLibrary> {
    static LIBRARY: OnceLock<Option<LayerLibrary>> = OnceLock::new();
    LIBRARY.get_or_init(open).as_ref()
}

fn open() -> Option<LayerLibrary> {
    if session::is_x11() || std::env::var_os(OFF).is_some_and(|value| !value.is_empty()) {
        return None;
    }
    let library = LayerLibrary::load();
    if let Err(error) = &library {
        tracing::debug!(%error, "There is no library for layers");
    }
    let library = library.ok()?;
    // SAFETY: the display is open, and this is the main thread.
    let is_supported = unsafe { (library.is_supported)() } != 0;
    tracing::debug!(is_supported, "The compositor was asked for layers");
    is_supported.then_some(library)
}

/// Looks a function up, which is there for as long as the program runs.
///
/// # Safety
/// `F` must be the type of the function with that name.
unsafe fn function<F: Copy>(library: &'static Library, name: &CStr) -> Result<F, Error> {
    // SAFETY: the caller's promise.
    let found = unsafe { library.get::<F>(name.to_bytes_with_nul()) }?;
    Ok(*found)
}

fn pointer(window: &gtk::Window) -> *mut c_void {
    window.as_ptr().cast()
}

impl LayerLibrary {
    fn load() -> Result<Self, Error> {
        // SAFETY: its only work on loading is to find GTK, which is loaded and stays.
        let library = unsafe { Library::new(FILE) }?;
        // It is never unloaded: GTK calls it until the end.
        let library: &'static Library = Box::leak(Box::new(library));
        // SAFETY: the types are those of the library's header, version 0.6 and later.
        unsafe {
            Ok(Self {
                is_supported: function(library, c"gtk_layer_is_supported")?,
                protocol_version: function(library, c"gtk_layer_get_protocol_version")?,
                init_for_window: function(library, c"gtk_layer_init_for_window")?,
                set_namespace: function(library, c"gtk_layer_set_namespace")?,
                set_layer: function(library, c"gtk_layer_set_layer")?,
                set_monitor: function(library, c"gtk_layer_set_monitor")?,
                set_anchor: function(library, c"gtk_layer_set_anchor")?,
                set_margin: function(library, c"gtk_layer_set_margin")?,
                set_exclusive_zone: function(library, c"gtk_layer_set_exclusive_zone")?,
                set_keyboard_mode: function(library, c"gtk_layer_set_keyboard_mode")?,
            })
        }
    }

    /// Makes a layer of a window that is not shown. The functions below are for such windows.
    pub fn make_layer(&self, window: &gtk::Window) {
        // SAFETY: the window lives during the call; afterwards the library follows its end.
        unsafe { (self.init_for_window)(pointer(window)) };
    }

    pub fn name(&self, window: &gtk::Window, name: &'static CStr) {
        // SAFETY: as above; the library copies the name.
        unsafe { (self.set_namespace)(pointer(window), name.as_ptr()) };
    }

    pub fn set_level(&self, window: &gtk::Window, level: Level) {
        // SAFETY: as above.
        unsafe { (self.set_layer)(pointer(window), level as c_int) };
    }

    /// Binds the layer to an edge, from which its distance counts.
    pub fn hold_at(&self, window: &gtk::Window, edge: Edge) {
        // SAFETY: as above.
        unsafe { (self.set_anchor)(pointer(window), edge as c_int, TRUE) };
    }

    /// Sets the distance from an edge, in logical pixels; below zero, part of the layer is beyond it.
    pub fn keep_from(&self, window: &gtk::Window, edge: Edge, distance: i32) {
        // SAFETY: as above.
        unsafe { (self.set_margin)(pointer(window), edge as c_int, distance) };
    }

    /// Chooses the monitor. A shown layer that changes it is hidden and shown again.
    pub fn stand_on(&self, window: &gtk::Window, monitor: &gdk::Monitor) {
        // SAFETY: as above; the monitor lives during the call. Before version 0.9.1 the library keeps the bare pointer,
        // and reads the monitor whenever the window is shown. So the window holds the monitor until its own end, even
        // when the monitor is unplugged. The former one is let go once the library has the new one.
        unsafe { (self.set_monitor)(pointer(window), monitor.as_ptr().cast()) };
        // SAFETY: nobody else uses that name, and what is stored under it is never read.
        unsafe { window.set_data::<gdk::Monitor>(MONITOR, monitor.clone()) };
    }

    pub fn ignore_bars(&self, window: &gtk::Window) {
        // SAFETY: as above.
        unsafe { (self.set_exclusive_zone)(pointer(window), BARS_IGNORED) };
    }

    pub fn set_keyboard(&self, window: &gtk::Window, mode: KeyboardMode) {
        // SAFETY: as above.
        unsafe { (self.set_keyboard_mode)(pointer(window), mode as c_int) };
    }

    /// Whether the compositor can give a layer the keyboard as it gives it to a window.
    pub fn has_keyboard_on_demand(&self) -> bool {
        // SAFETY: the display is open, and this is the main thread.
        let version = unsafe { (self.protocol_version)() };
        version >= ON_DEMAND_SINCE
    }
}
