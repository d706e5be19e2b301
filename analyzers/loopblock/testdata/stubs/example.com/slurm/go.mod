module example.com/slurm

go 1.26.0
