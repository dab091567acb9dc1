"""What is said of a section that has nothing, or nothing new, to quote."""

NOT_FOUND = "Non trouvé dans le corpus indexé pour cette sous-section."
SAID_ABOVE = "Les seuls extraits trouvés ici pour toute la question sont déjà cités plus haut."
"""Of a section of which every sentence stands in one above it."""
