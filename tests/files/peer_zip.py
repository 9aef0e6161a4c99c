"""Zip archives of Python and torch: `write <folder>` makes those that Ferry must read, `check <file>` reads Ferry's."""
import sys
import zipfile

SAMPLE = {
    "top/empty": b"",
    "top/text.json": b'{"a": 1}',
    "top/data/large": bytes(i * 7 % 251 for i in range(100000)),
    "top/\u00fc": b"umlaut",
}


def write(folder):
    def pack(name, compression=zipfile.ZIP_STORED, comment=b"", wide=False):
        with zipfile.ZipFile(f"{folder}/{name}", "w", compression) as archive:
            for entry, data in SAMPLE.items():
                with archive.open(zipfile.ZipInfo(entry) if compression == zipfile.ZIP_STORED else entry, "w", force_zip64=wide) as out:
                    out.write(data)
            archive.comment = comment

    pack("plain.zip")
    pack("wide.zip", wide=True)
    pack("comment.zip", comment=b"PK\x05\x06 looks like an end record, and is a comment" * 3)
    pack("deflated.zip", zipfile.ZIP_DEFLATED)

    import torch

    writer = torch._C.PyTorchFileWriter(f"{folder}/torch.zip")
    root = writer.archive_name()
    for entry, data in SAMPLE.items():
        writer.write_record(entry.removeprefix("top/"), data, len(data))
    writer.write_end_of_file()
    assert root == "torch"


def check(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == SAMPLE
    import torch

    # torch's reader wants a version in an archive; Ferry's other tests give it one.
    try:
        reader = torch._C.PyTorchFileReader(path)
    except RuntimeError as error:
        assert "version" in str(error), error
    else:
        for name, data in SAMPLE.items():
            assert reader.get_record(name.removeprefix("top/")) == data


{"write": write, "check": check}[sys.argv[1]](sys.argv[2])
