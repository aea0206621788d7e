"""Given names that are usual around the game: they show whether a list puts surnames first."""

from __future__ import annotations

from typing import Final

from .words import unaccented

_NAMES: Final = """
Adriaan Adriana Adrien Agnes Agnès Aimé Alain Albert Alex Alexandre Alfons Alfred Alice Aline Alois
Alphonse Amandine Ambroise Amélie An Anaïs Andrea André Andrée Andy Angèle Ann Anna Anne Anneleen Annelies
Annemie Annick Annie Ans Antoine Antoon Ariane Arlette Armand Arnaud Arthur Astrid Audrey Augustin Aurore
Aurélie Axel Baptiste Barbara Bart Bas Bastien Bavo Bea Benjamin Benny Benoît Bernadette Bernadien Bernard
Bert Bertrand Betty Björn Blanche Bo Bob Bram Brecht Brigitte Bruno Béatrice Camille Carine Carla Carlo
Caroline Catherine Cedric Chantal Charles Charlotte Chloé Chris Christa Christel Christelle Christian
Christiane Christine Christoph Christophe Cindy Claire Clara Claude Claudine Clementine Clément Colette
Corinne Corneel Cornelia Cyril Cécile Céline Daisy Damien Daniel Danielle Daniël Danny Dany David Davy
Delphine Denis Denise Diane Didier Dieter Dieudonné Dina Dirk Dominique Dorien Dorine Dries Eddy Edgar
Edgard Edith Edmond Edmonde Edouard Eduard Elien Eline Elisabeth Elise Elke Ellen Elly Elodie Els Emiel
Emile Emma Emmanuel Enguerrand Eric Erik Erna Ernest Estelle Esther Etienne Eva Eveline Evelyne Evi Evy
Fabian Fabien Fabienne Fabrice Fernand Fien Filip Flore Florence Florent Fons Francine Francis Francisca
Frank Frans Franz François Françoise Fred Freddy Frederik Frédéric Félix Gabriel Gabrielle Gaston Gaël
Geert Geneviève Geoffroy Georges Georgette Georgine Gerard Gerda Germain Germaine Gert Ghislain Ghislaine
Giel Gilbert Gilles Ginette Gino Gislaine Gisèle Glenn Godelieve Godfried Godfroid Gonda Greet Gregory
Greta Griet Grégory Guido Guillaume Gust Gustaaf Guy Gwen Gérard Hanne Hannelore Hannes Hans Heidi Heleen
Helena Hendrik Henk Henri Henriette Herbert Herman Hervé Hilaire Hilde Hortense Hubert Hugo Huguette
Hélène Ida Ignace Ilse Inge Ingeborg Ingrid Iris Irma Irène Isabel Isabelle Ivan Ivo Jacky Jacqueline
Jacques Jan Jana Janneke Jannes Jasper Jean Jean-Luc Jean-Marie Jean-Pierre Jeanine Jeanne Jeannine Jef
Jelle Jenny Jens Jeroen Jo Joachim Joan Joanna Joannes Jocelyne Johan Johanna John Johnny Joke Jonas
Jonathan Jonny Joost Joris Jos Joseph Josette Josse José Josée Jozef Joël Joëlle Jules Julie Julien
Julienne Juliette Jurgen Justine Jérôme Jürgen Kaat Kamiel Kamille Karel Karen Karim Karin Karolien
Kathleen Kathy Katleen Katrien Kevin Kim Kirsten Klaas Kobe Koen Koenraad Korneel Kris Krista Kristien
Kristof Kurt Laetitia Lars Laura Laure Leen Lena Leo Leon Leopold Lies Liesbet Liesbeth Lieve Lieven
Liliane Lina Linda Lionel Lisa Lise Lode Loes Lore Lotte Louis Louisa Louise Loïc Luc Luca Lucas Lucette
Lucia Lucie Lucien Lucienne Ludo Ludovic Luk Lut Lutgarde Lydia Lydie Lynn Léa Léon Léonie Léopold Maarten
Maddy Madeleine Magali Magda Manon Marc Marcel Marcella Marcelle Marcelline Margaux Margot Marguerite
Maria Mariane Marianne Marie Marie-Claire Marie-Louise Marie-Thérèse Mariette Marijke Marina Mario Marion
Marjan Mark Marleen Marlène Marnix Martha Martine Marvin Maryse Maryvonne Mathias Mathieu Mathilde
Matthias Matthieu Maud Maurice Maurits Max Maxime Maximilien Melissa Mia Michel Micheline Michelle Michèle
Mieke Miet Mireille Mohamed Monique Morgane Myriam Nadia Nadine Nancy Natacha Natalie Nathalie Nele Nelly
Nicolaas Nicolas Nicole Niels Nina Noa Noella Nora Norbert Noël Noëlla Noëlle Octave Odette Odile Olga
Olivia Olivier Omer Oscar Otto Pascal Pascale Pascaline Patrice Patricia Patrick Paul Paula Paulette
Pauline Peggy Peter Philip Philippe Pierre Pierrette Piet Pieter Pol Prosper Quentin Rachel Raf Rafael
Raoul Raphaël Raymond Reine Reinhilde Reinout Remi Renaat René Renée Ria Richard Rik Rika Rita Rob Robert
Roberto Robin Robrecht Roel Roger Roland Rolande Romain Romy Ronald Ronny Roos Rosa Rosalie Rosanne Rose
Rosette Ruben Rudi Rudy Ruth Régine Rémi Sabine Sabrina Sam Samira Samuel Sander Sandra Sandrine Sandy
Sara Sarah Seppe Serge Siegfried Sigrid Simone Simonne Siska Sofie Solange Sonia Sonja Sonny Sophie Stef
Stefaan Stefan Stephan Stephanie Steven Stien Stijn Stéphane Stéphanie Suzanne Sven Sylvain Sylvia Sylvie
Sébastien Séverine Søren Tania Ted Theo Thibault Thierry Thijs Thomas Théo Thérèse Tibo Tim Tine Tom Tony
Toon Trees Ulrich Urbain Valentin Valentine Valère Valérie Vanessa Veerle Vera Vic Victor Victoria Vincent
Virginie Vital Viviane Véronique Walter Wannes Ward Wendy Werner Wilfried Willem Willemien William Willy
Wim Wivina Wout Wouter Xavier Yann Yannick Yannis Yolande Ysaline Yvan Yves Yvette Yvon Yvonne Zita Zoé
Zoë Élise Émilie
"""
GIVEN_NAMES: Final = frozenset(map(unaccented, _NAMES.split()))
