"""`linja tournament`: levels and strategies play against each other."""
