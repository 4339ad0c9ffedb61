"""The seven stages of the pipeline; a stage never imports a stage."""
