import math

# What --config may say: the table folder, which all machines must share, and the
# program.
TABLES = config.get("tables", "tables")
RETROGRADE = config.get("retrograde", "retrograde")


def files(material):
    return [f"{TABLES}/{file}".format(material=material) for file in PLAN["files"]]


def needed_files(wildcards):
    needs = PLAN["tables"][wildcards.material]["needs"]
    return [file for need in needs for file in files(need)]


def planned(wildcards, resource):
    return PLAN["tables"][wildcards.material][resource]


# If what was planned was not enough, the next attempt has more.
def memory(wildcards, attempt):
    return math.ceil(planned(wildcards, "mem_mb") * (3 + attempt) / 4)


# With fewer threads than planned it takes longer, too.
def runtime(wildcards, threads, attempt):
    minutes = planned(wildcards, "runtime") * planned(wildcards, "threads") / threads
    return math.ceil(minutes) * attempt


rule all:
    input:
        [file for material in PLAN["tables"] for file in files(material)],


# What is newer than what does not matter (ancient), and Snakemake must not remove
# files before a job (update): the program keeps the tables that are sound.
rule table:
    input:
        ancient(needed_files),
    output:
        [update(f"{TABLES}/{file}") for file in PLAN["files"]],
    wildcard_constraints:
        material="|".join(PLAN["tables"]),
    threads: lambda wildcards: planned(wildcards, "threads")
    resources:
        mem_mb=memory,
        disk_mb=lambda wildcards: planned(wildcards, "disk_mb"),
        runtime=runtime,
    params:
        game=PLAN["game"],
        tables=TABLES,
        retrograde=RETROGRADE,
    shell:
        "{params.retrograde:q} generate {params.game:q} {wildcards.material}"
        " --tables={params.tables:q} --out={params.tables:q}"
        " --threads {threads} --memory {resources.mem_mb}M"
