# shellcheck shell=bash
# For other scripts: starts retrograde-server on a free port and stops it in the end.
# Source it, then call start_server with a profile of Cargo and options of the server; the
# address is in $url, the process in $server. RETROGRADE_SERVER names a program that has been
# built already.

server=''
stop_server() {
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    [[ -z $server ]] || wait "$server" 2>/dev/null || true
    server=''
}
trap stop_server EXIT

start_server() {
    local profile=$1 folder=$1
    shift
    [[ $profile == release ]] || folder=debug
    local program=${RETROGRADE_SERVER:-}
    if [[ -z $program ]]; then
        cargo build --quiet --profile "$profile" -p retrograde-server
        program=${CARGO_TARGET_DIR:-target}/$folder/retrograde-server
    fi
    mkdir -p target/server
    : >target/server/log
    "$program" --listen 127.0.0.1:0 "$@" 2>target/server/log &
    server=$!
    url=''
    for _ in {1..100}; do
        url=$(sed -n 's|^serving .* at \(http://.*\)/$|\1|p' target/server/log)
        [[ -z $url ]] || return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    cat target/server/log >&2
    printf 'the server did not start\n' >&2
    return 1
}
