# shellcheck shell=bash
# For other scripts: the profile of Cargo that programs are built with, and the folder below
# target/ that they are then in. RETROGRADE_PROFILE=dev takes what `cargo test` has built.

profile=${RETROGRADE_PROFILE:-release}
folder=$profile
[[ $profile != dev ]] || folder=debug
