//! Names the shared library in itself, so that programs that were linked with a file look for
//! the library by its name, not for that file.

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
