# 读写 XML 文档:订单、命名空间、配置清单与出错的位置
from xml.dom import minidom
print(minidom.parseString("<p:a xmlns:p='u' p:k='1'><p:b/></p:a>").toxml())
print(minidom.parseString("<!DOCTYPE html><html><body>x</body></html>").toxml())
print(minidom.parseString('<!DOCTYPE html PUBLIC "-//W3C" "http://x/y.dtd"><html><!-- c --><body>x</body></html>').toxml())
print(minidom.parseString("<!DOCTYPE a [<!ENTITY e 'v'>]><a>&e;<![CDATA[<]]></a>").documentElement.toxml())
import xml.etree.ElementTree as ET
e=ET.fromstring("<p:a xmlns:p='u' xmlns='d' p:k='1'><p:b/><c/></p:a>"); print(ET.tostring(e)); print(e.find('{d}c').tag)
for x in ["<a><b></a>", "<a>", "<p:a/>","<a b='1' b='2'/>","<a/>junk"]:
    try: ET.fromstring(x)
    except Exception as y: print(type(y), str(y).split(':')[0], y.code)
import plistlib
try: plistlib.loads(b'<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY e "v">]><plist version="1.0"><string>&e;</string></plist>')
except Exception as y: print(type(y), y)
from xml.parsers import expat
p = expat.ParserCreate()
p.StartElementHandler = lambda n, a: print('s', n, sorted(a.items()))
p.EndElementHandler = lambda n: print('e', n)
p.CharacterDataHandler = lambda n: print('c', repr(n))
p.Parse("<x:a xmlns:x='u' x:k='v' z='1'>hi <b/>there</x:a>", True)
import io
t = ET.parse(io.BytesIO(b"<?xml version='1.0' encoding='utf-8'?><r>" + b"".join(b"<i n='%d'>\xe4\xb8\xad%d</i>" % (k, k) for k in range(50000)) + b"</r>"))
print(len(t.getroot()), t.getroot()[-1].text)
rows = ET.fromstring("<rss><channel><item><title>A &amp; B</title></item><item><title>C</title></item></channel></rss>")
print([i.findtext('title') for i in rows.iter('item')])
ET.indent(rows); print(ET.tostring(rows, encoding='unicode'))
print(ET.canonicalize("<a  b='2' a='1'/>"))
def boom(n, a): raise KeyError(n)
p = expat.ParserCreate(); p.StartElementHandler = boom
try: p.Parse("<a/>", True)
except KeyError as e: print('boom', e)
