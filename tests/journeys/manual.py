"""Makes a PDF with so many pages, each with a page of sentences and marks of its own: manual.py PAGES FILE."""

import random
import sys

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas

SUBJECTS = "valve pump boiler lamp gauge belt motor filter hinge ladder".split()
DEEDS = "is checked,is cleaned,is oiled,is replaced,is measured,is locked,is labelled".split(",")
WHEN = "before noon,after rain,every week,in winter,when it is cold,by two people,at the gate".split(",")

pages, target = int(sys.argv[1]), sys.argv[2]
dice = random.Random(7)
pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
manual = canvas.Canvas(target, pagesize=(595, 842))
for page in range(1, pages + 1):
    manual.setFont("Helvetica", 14)
    manual.drawString(60, 800, f"Section {page}")
    manual.setFont("Helvetica", 10)
    height = 770
    for line in range(40):
        sentence = f"The {dice.choice(SUBJECTS)} number {dice.randrange(10_000)} {dice.choice(DEEDS)} {dice.choice(WHEN)}"
        manual.drawString(60, height, f"{sentence}, as rule {page}.{line} says.")
        height -= 14
    manual.drawString(60, height, f"The inspection mark of this page is quokka{page:05}.")
    manual.setFont("STSong-Light", 11)
    manual.drawString(60, height - 20, f"第 {page} 页的检验编号是“甲{page:05}”，由仓库第 {page % 37} 组核对。")
    manual.showPage()
manual.save()
