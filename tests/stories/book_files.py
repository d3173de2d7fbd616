"""Books as files, made by the tests that read them: EPUB, Word and PDF."""

import io
import zipfile
import zlib
from xml.sax.saxutils import escape

from tests.tables import file_text

CONTAINER, PAGE, NCX, PACKAGE = file_text(__file__, "epub.txt").splitlines()
XHTML = "application/xhtml+xml"


def page(body, *, title=""):
    return PAGE.format(title=title, body=body)


def paragraphs(*said):
    return "".join(f"<p>{escape(one)}</p>" for one in said)


def nav(entries):
    return page(f'<nav epub:type="toc"><h1>Contents</h1><ol>{entries}</ol></nav>')


def ncx(points):
    return NCX.format(points=points)


def point(label, src, inner=""):
    return (
        f'<navPoint><navLabel><text>{escape(label)}</text></navLabel><content src="{src}"/>{inner}</navPoint>'
    )


def package(names, *, title="The Ferry", extra="", spine=""):
    items = "".join(f'<item id="i{n}" href="{name}" media-type="{XHTML}"/>' for n, name in enumerate(names))
    refs = spine or "".join(f'<itemref idref="i{n}"/>' for n in range(len(names)))
    return PACKAGE.format(title=escape(title), items=items, extra=extra, refs=refs)


NAV_ITEM = f'<item id="nav" href="nav.xhtml" media-type="{XHTML}" properties="nav"/>'
NCX_ITEM = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'


def zipped(members):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def epub(pages, *, toc="", version=3, **options):
    """``toc``: list items of an EPUB 3 navigation, or navPoints where ``version`` is 2."""
    item = (NAV_ITEM if version == 3 else NCX_ITEM) if toc else ""
    members: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/content.opf": package(list(pages), extra=item + options.pop("extra", ""), **options),
    }
    if toc:
        members["OEBPS/" + ("nav.xhtml" if version == 3 else "toc.ncx")] = (nav if version == 3 else ncx)(toc)
    return zipped(members | {f"OEBPS/{name}": content for name, content in pages.items()})


def pdf(pages, *, title="", outline=None):
    """A PDF with the lines of each page in Helvetica; ``outline`` names pages from 0."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for lines in pages:
        made = writer.add_blank_page(width=420, height=595)
        made[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
        said = " ".join(f"({line.translate(_PDF_ESCAPES)}) Tj T*" for line in lines)
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 10 Tf 14 TL 40 550 Td {said} ET".encode("latin-1"))
        made[NameObject("/Contents")] = writer._add_object(content)
    if title:
        writer.add_metadata({"/Title": title})
    for label, number in (outline or {}).items():
        writer.add_outline_item(title=label, page_number=number)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


_PDF_ESCAPES = str.maketrans({"(": r"\(", ")": r"\)", "\\": r"\\"})


def endless_pdf(pages=2000, words=12_000):
    """Pages that share one long content stream: small as a file, and long to read."""
    said = (
        "BT /F1 12 Tf " + " ".join(f"1 0 0 1 0 {n % 700} Tm (word{n % 7}) Tj" for n in range(words)) + " ET"
    )
    packed = zlib.compress(said.encode(), 9)
    kids = " ".join(f"{n + 5} 0 R" for n in range(pages))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {pages} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode() + packed + b"\nendstream",
        *[
            b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 600 800] "
            b"/Resources << /Font << /F1 3 0 R >> >> >>"
        ]
        * pages,
    ]
    return pdf_of(objects)


def pdf_of(objects):
    """A PDF of these objects, numbered from 1; the first is its catalogue."""
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, one in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + one + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start)
    return bytes(out)
