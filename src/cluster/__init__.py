"""Work spread over processes of this machine, or over the workers of a Dask cluster."""
