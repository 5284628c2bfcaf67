# Extract every e-mail address and phone number from this text.
import re

text = """
Hi team, please reach Laura at laura.k@acme-corp.com or +49 (30) 1234-567.
Support: support@acme-corp.com, tel. 030 555 0199 (mo-fr). Old address:
<Laura.K@Acme-Corp.com> should not be used. Not a mail: foo@bar, @home.
Mobile: 0171-9876543
"""

email_re = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
phone_re = re.compile(r"(?<!\w)(?:\+\d{1,3}[\s-]?)?(?:\(\d+\)|\d{2,5})[\s-]\d[\d\s-]{4,}\d")

emails = []
for m in email_re.finditer(text):
    address = m.group().lower()
    if address not in emails:
        emails.append(address)
    print(f"mail at {m.start():>3}-{m.end():<3} {m.group()}")

phones = [re.sub(r"[^\d+]", "", p) for p in phone_re.findall(text)]
print("Unique mails:", emails)
print("Phones:", phones)
for p in phones:
    kind = "mobile" if re.match(r"01[5-7]", p) else "landline"
    print(f"  {p:<14} {kind}")
