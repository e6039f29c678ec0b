#!/usr/bin/env python3
"""A sample of blocks against all of them: sectors and bank conflicts of a matrix product within 1 % (issue 5, "Cheap").

    sampling.py WARPWISE SOURCE_FOLDER [N]

Steps of kernels/published/sgemm with and without conflicts, at N = 512 by default; at 1024 the same by hand, which takes a minute.
"""
import json, os, subprocess, sys, tempfile

warpwise, root, n = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "512"
WATCHED = ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
           "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "lts__t_sectors_srcunit_tex_op_read.sum",
           "smsp__inst_executed.sum"]


def counts(step, *options):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "profile.json")
        run = subprocess.run([warpwise, "profile", "-q", "--compiler=clang", *options, "--json", out, os.path.join(root, "kernels/published/sgemm", step + ".cu"), n], capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{step}: {run.stdout}{run.stderr}")
        return json.load(open(out))["launches"][0]


failed = sampled = 0
for step in ("02_coalesced", "03_shared_tiles", "05_thread_square", "08_padded_rows"):
    some, all_ = counts(step), counts(step, "--exact")
    sampled += some["counted_blocks"] < some["blocks"]
    worst = 0
    for name in WATCHED:
        exact, estimate = all_["metrics"].get(name, 0), some["metrics"].get(name, 0)
        error = abs(estimate - exact) / max(exact, 1)
        worst = max(worst, error)
        if error > 0.01:
            failed += 1
            print(f"{step}: {name} is {estimate} by {some['counted_blocks']} of {some['blocks']} blocks, and {exact} exactly")
    print(f"{step}, n = {n}: {some['counted_blocks']} of {some['blocks']} blocks, worst error {100 * worst:.2f} %")
if sampled == 0:
    failed += 1
    print("nothing was sampled")
sys.exit(1 if failed else 0)
