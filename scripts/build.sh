# shellcheck shell=bash
# For other scripts, to be sourced in the project's folder: builds programs, and whatever else
# several scripts need. Programs are in $programs once they are built. With RETROGRADE_PROFILE=dev
# they are those that `cargo test` has compiled.

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

# The names of all games, from the program, which must have been built.
games() {
    "$programs/retrograde" games | awk '/^[^ ]/ { print $1 }'
}

# shipped_tables FOLDER: copies the three-man tables that ship into a new folder, without what
# somebody may have made beside them.
shipped_tables() {
    local name
    rm -rf "$1"
    while read -r _ name; do
        mkdir -p "$1/${name%/*}"
        cp "tables/$name" "$1/$name"
    done <tables/SHA256SUMS
}

# venv FOLDER WANTED...: a virtual environment of Python, with what pip is to install. One that
# has just this is kept. Calls the script's `fail`.
venv() {
    local folder=$1
    shift
    [[ $(cat "$folder/wanted" 2>/dev/null) != "$*" ]] || return 0
    python3 -m venv --clear "$folder" || fail "python3 has no venv; install python3-venv"
    "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" ||
        fail "pip could not install $*; is PyPI within reach?"
    printf '%s\n' "$*" >"$folder/wanted"
}
