# shellcheck shell=bash
# For other scripts, to be sourced in the project's folder: builds programs. They are then in
# $programs. With RETROGRADE_PROFILE=dev they are those that `cargo test` has compiled.

profile=${RETROGRADE_PROFILE:-release}
case $profile in
dev) programs=${CARGO_TARGET_DIR:-target}/debug ;;
*) programs=${CARGO_TARGET_DIR:-target}/$profile ;;
esac

# build_programs [-p PACKAGE]...
build_programs() {
    if [[ $profile == dev ]]; then
        # For fewer packages, what they share would be compiled with fewer features.
        cargo build --quiet --workspace --lib --bins --tests
    else
        cargo build --quiet --profile "$profile" "$@"
    fi
}
