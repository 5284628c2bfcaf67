//! A graphics driver that draws nothing, for the processes of our pages. The processor draws our pages, but
//! WebKit ends a page's process that finds no driver at all. A real driver takes 20 MB and more there, mostly
//! for a compiler of shaders.
//!
//! A library of its own, loaded by libEGL (GLVND) in place of the system's driver; `lean.rs` tells libEGL its
//! path. It opens one display without a screen, offers no configuration for drawing, and refuses all other
//! requests.

#![cfg(target_os = "linux")]

use std::ffi::{CStr, c_char, c_int, c_void};

/// Version of the interface to libEGL, in the upper half of the number; a lower half only adds functions.
const INTERFACE_MAJOR: u32 = 0;
/// `EGL_PLATFORM_SURFACELESS_MESA`, and `EGL_NONE` from callers that leave the choice to us.
const SURFACELESS: u32 = 0x31DD;
const UNNAMED: u32 = 0x3038;
/// `EGL_NOT_INITIALIZED`: the reason that every refused call reports.
const REASON: c_int = 0x3001;
/// `EGL_VERSION` and `EGL_EXTENSIONS`: names of the strings that callers may request.
const VERSION_NAME: c_int = 0x3054;
const EXTENSIONS_NAME: c_int = 0x3055;
const VERSION: (c_int, c_int) = (1, 5);
const VERSION_TEXT: &CStr = c"1.5 Shidi, no driver";
/// Extensions that callers may request before there is a display.
const EXTENSIONS: &CStr = c"EGL_EXT_client_extensions EGL_EXT_platform_base EGL_MESA_platform_surfaceless";

/// Functions that libEGL takes from a driver, in the order of `__EGLapiImports`; the later ones may stay empty.
#[repr(C)]
pub struct Imports {
    platform_display: extern "C" fn(u32, *mut c_void, *const isize) -> *mut c_void,
    knows_interface: extern "C" fn(u32) -> u32,
    own_string: extern "C" fn(c_int) -> *const c_char,
    function: unsafe extern "C" fn(*const c_char) -> *mut c_void,
    dispatch: extern "C" fn(*const c_char) -> *mut c_void,
    set_index: extern "C" fn(*const c_char, c_int),
}

/// The function that libEGL calls after it has loaded a driver.
///
/// # Safety
/// `imports` points at libEGL's table of functions, as its interface says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __egl_Main(
    version: u32,
    _exports: *const c_void,
    _vendor: *mut c_void,
    imports: *mut Imports,
) -> u32 {
    if version >> 16 != INTERFACE_MAJOR || imports.is_null() {
        return 0;
    }
    let ours = Imports {
        platform_display,
        knows_interface,
        own_string,
        function,
        dispatch,
        set_index,
    };
    // SAFETY: the caller promises the pointer; the table is libEGL's own and has room for these.
    unsafe { imports.write(ours) };
    1
}

/// Anything but null: libEGL compares the pointer and never reads through it.
fn display() -> *mut c_void {
    static DISPLAY: u8 = 0;
    std::ptr::from_ref(&DISPLAY).cast_mut().cast()
}

extern "C" fn platform_display(platform: u32, _native: *mut c_void, _wishes: *const isize) -> *mut c_void {
    match platform {
        SURFACELESS | UNNAMED => display(),
        _ => std::ptr::null_mut(),
    }
}

extern "C" fn knows_interface(_interface: u32) -> u32 {
    1
}

/// The value of the only requested name: the platforms.
extern "C" fn own_string(name: c_int) -> *const c_char {
    match name {
        0 => c"EGL_MESA_platform_surfaceless".as_ptr(),
        _ => std::ptr::null(),
    }
}

/// The function of a name. libEGL takes no driver that lacks one of EGL's own functions; drawing functions are
/// absent.
unsafe extern "C" fn function(name: *const c_char) -> *mut c_void {
    // SAFETY: libEGL asks by a name that ends with a zero.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    match name {
        b"eglInitialize" => initialize as *mut c_void,
        b"eglTerminate" => terminate as *mut c_void,
        b"eglQueryString" => query_string as *mut c_void,
        b"eglGetError" => reason as *mut c_void,
        _ if name.starts_with(b"egl") => refuse as *mut c_void,
        _ => std::ptr::null_mut(),
    }
}

extern "C" fn dispatch(_name: *const c_char) -> *mut c_void {
    std::ptr::null_mut()
}

extern "C" fn set_index(_name: *const c_char, _index: c_int) {}

unsafe extern "C" fn initialize(_display: *mut c_void, major: *mut c_int, minor: *mut c_int) -> u32 {
    for (place, number) in [(major, VERSION.0), (minor, VERSION.1)] {
        if !place.is_null() {
            // SAFETY: a caller that passes a place owns that place.
            unsafe { place.write(number) };
        }
    }
    1
}

extern "C" fn terminate(_display: *mut c_void) -> u32 {
    1
}

extern "C" fn query_string(display: *mut c_void, name: c_int) -> *const c_char {
    match name {
        VERSION_NAME => VERSION_TEXT.as_ptr(),
        EXTENSIONS_NAME if display.is_null() => EXTENSIONS.as_ptr(),
        _ => c"".as_ptr(),
    }
}

extern "C" fn reason() -> c_int {
    REASON
}

/// Returns false, null or zero, whichever type the caller expects.
extern "C" fn refuse() -> *mut c_void {
    std::ptr::null_mut()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::MaybeUninit;

    fn table(version: u32) -> Option<Imports> {
        let mut imports = MaybeUninit::<Imports>::uninit();
        // SAFETY: the place is valid; it is read only after it was written.
        unsafe {
            let taken = __egl_Main(
                version,
                std::ptr::null(),
                std::ptr::null_mut(),
                imports.as_mut_ptr(),
            );
            (taken == 1).then(|| imports.assume_init())
        }
    }

    #[test]
    fn another_interface_than_the_known_one_is_refused() {
        assert!(table(1 << 16).is_none());
        assert!(table(2).is_some());
    }

    #[test]
    fn there_is_one_display_without_a_screen_and_nothing_to_draw_with() {
        let imports = table(2).unwrap();
        assert!(!(imports.platform_display)(SURFACELESS, std::ptr::null_mut(), std::ptr::null()).is_null());
        // A display of X11 belongs to another driver.
        assert!((imports.platform_display)(0x31D5, std::ptr::null_mut(), std::ptr::null()).is_null());
        // SAFETY: names that end with a zero.
        let has = |name: &CStr| unsafe { !(imports.function)(name.as_ptr()).is_null() };
        assert!(has(c"eglInitialize") && has(c"eglChooseConfig") && has(c"eglCreateContext"));
        assert!(!has(c"glClear"));
        assert!(refuse().is_null());
    }
}
