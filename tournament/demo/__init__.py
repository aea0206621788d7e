"""The demo event and the simulation of play: deals played card by card, never invented totals."""
