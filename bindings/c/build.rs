//! Gives the shared C library its own name, so that linked programs look for that name at run time.
//!
//! Without it, programs that were linked with a file would look for that file.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let name = match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos") => "-Wl,-install_name,@rpath/libretrograde_c.dylib",
        Ok("linux" | "android" | "freebsd" | "netbsd" | "openbsd" | "dragonfly") => {
            "-Wl,-soname,libretrograde_c.so"
        }
        _ => return,
    };
    println!("cargo::rustc-cdylib-link-arg={name}");
}
