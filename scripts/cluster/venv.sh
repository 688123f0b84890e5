# Sourced by the scripts here: `venv` makes a Python environment with Snakemake, and
# puts it first in PATH.

venv() {
    local folder=target/cluster-venv
    local wanted=scripts/cluster/requirements.txt
    if ! cmp --quiet "$wanted" "$folder/requirements.txt"; then
        python3 -m venv --clear "$folder"
        "$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted"
        cp "$wanted" "$folder/requirements.txt"
    fi
    PATH=$PWD/$folder/bin:$PATH
}
