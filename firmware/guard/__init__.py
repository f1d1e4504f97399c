"""Who may look and who may act: what stands between the page and everybody in the network."""
