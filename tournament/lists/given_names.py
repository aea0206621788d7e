"""Given names that are usual around the game: they show whether a list puts surnames first."""

from __future__ import annotations

from typing import Final

from .words import unaccented

_NAMES: Final = """
An Ann Anna Anne Anneleen Annelies Annemie Annie Ans Ariane Arlette Armand Arnaud Arthur Astrid Audrey
Augustin Aurélie Axel Baptiste Barbara Bart Bas Bea Benjamin Benny Benoît Bernadette Bernard Bert
Bertrand Björn Bo Bob Bram Brecht Brigitte Bruno Béatrice Camille Carine Carla Carlo Caroline Catherine
Chantal Chloé Chris Christa Christel Christelle Christian Christiane Christine Christophe Claire Clara
Claude Claudine Clément Colette Corinne Corneel Cyril Cécile Céline Daisy Damien Daniel Danielle Daniël
Danny David Delphine Denis Denise Diane Didier Dieter Dieudonné Dina Dirk Dominique Dorine Dries Eddy
Edgard Edith Edmond Edouard Eduard Eline Elisabeth Elise Elke Ellen Elodie Els Emiel Emile Emma Emmanuel
Eric Erik Erna Ernest Estelle Esther Etienne Eva Eveline Evelyne Fabien Fabienne Fabrice Fernand Fien
Filip Florence Fons Francine Francis Francisca Frank Frans Franz François Françoise Fred Freddy Frederik
Frédéric Félix Gaston Gaël Geert Geneviève Geoffroy Georges Georgette Gerda Germain Gert Ghislain
Ghislaine Giel Gilbert Gilles Ginette Gisèle Godelieve Godfried Greet Greta Griet Guido Guillaume Gust
Gustaaf Guy Gwen Gérard Hannelore Hans Heidi Hendrik Henk Henri Henriette Herbert Herman Hilde Hubert
Hugo Huguette Hélène Ida Ignace Ilse Inge Ingrid Iris Irène Isabel Isabelle Ivan Ivo Jacky Jacqueline
Jacques Jan Jannes Jasper Jean Jean-Luc Jeanine Jeanne Jeannine Jef Jelle Jens Jeroen Jo Joan Joanna
Joannes Jocelyne Johan Johanna John Joke Jonas Jonathan Joost Joris Jos Joseph Josette Josse José Josée
Jozef Joël Joëlle Jules Julie Julien Juliette Jurgen Justine Jérôme Jürgen Kaat Karel Karen Karim Karin
Karolien Kathleen Kathy Katleen Katrien Kevin Kim Klaas Koen Koenraad Korneel Kris Kristien Kristof Kurt
Laetitia Lars Laura Laure Leen Leo Leon Lies Liesbet Lieve Lieven Liliane Lina Linda Lisa Lise Lode Loes
Lore Lotte Louis Louisa Louise Loïc Luc Lucas Lucette Lucie Lucien Lucienne Ludo Ludovic Lut Lutgarde
Lydia Lydie Lynn Léa Léon Léonie Maarten Maddy Madeleine Magali Magda Marc Marcel Marcella Marcelle
Margaux Margot Marguerite Maria Mariane Marianne Marie Marie-Claire Mariette Marijke Marina Mario Marion
Marjan Mark Marleen Marlène Martha Martine Maryse Mathieu Mathilde Matthias Maud Maurice Maurits Max
Maxime Mia Michel Micheline Michelle Michèle Mieke Miet Mireille Monique Myriam Nadia Nadine Nancy
Natacha Nathalie Nele Nelly Nicolas Nicole Niels Nina Noa Nora Norbert Noël Noëlla Noëlle Odette Odile
Olga Olivia Olivier Omer Oscar Otto Pascal Pascale Patrice Patricia Patrick Paul Paula Paulette Pauline
Peter Philippe Pierre Pierrette Piet Pieter Pol Quentin Rachel Raf Rafael Raoul Raphaël Raymond Renaat
René Renée Ria Richard Rik Rika Rita Rob Robert Roberto Robin Roel Roger Roland Rolande Romain Ronny
Roos Rosa Rose Rosette Ruben Rudi Rudy Ruth Régine Rémi Sabine Sabrina Sam Samuel Sandra Sandrine Sandy
Sara Sarah Serge Simone Simonne Sofie Solange Sonia Sonja Sophie Stef Stefaan Stefan Steven Stijn
Stéphane Suzanne Sven Sylvain Sylvia Sylvie Sébastien Séverine Søren Tania Ted Theo Thierry Thijs Théo
Thérèse Tim Tine Tom Toon Valentin Valentine Valérie Vera Vic Victor Victoria Vincent Virginie Viviane
Véronique Walter Ward Wendy Werner Willem William Willy Wim Wout Wouter Xavier Yannick Yolande Yvan Yves
Yvette Yvon Yvonne Zoé Zoë Élise Émilie
"""
GIVEN_NAMES: Final = frozenset(map(unaccented, _NAMES.split()))
