using System.Text;

namespace Mux.Tool.Contracts;

/// <summary>
/// A file as UTF-8 without the mark that Windows puts in front: one that the mark shows to be UTF-16 is read as that.
/// Reads only, from one thread.
/// </summary>
/// <param name="inner">The file, which is disposed with this.</param>
internal sealed class UnmarkedStream(Stream inner) : Stream
{
    private readonly byte[] _mark = new byte[3];
    private Stream? _content;
    private int _kept;
    private int _end;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        _content ??= Begin();
        if (_kept == _end) return _content.Read(buffer);
        int length = Math.Min(buffer.Length, _end - _kept);
        _mark.AsSpan(_kept, length).CopyTo(buffer);
        _kept += length;
        return length;
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing) inner.Dispose();
        base.Dispose(disposing);
    }

    // No more is read than tells: what a terminal or a pipe has given is not held back for bytes that are not there
    // yet.
    private Stream Begin()
    {
        Fill(1);
        if (_end == 1 && _mark[0] is 0xFF or 0xFE) Fill(2);
        else if (_end == 1 && _mark[0] == 0xEF) Fill(3);
        if (_end == 3 && _mark.AsSpan().SequenceEqual(Encoding.UTF8.Preamble)) _kept = _end;
        if (_end != 2 || (_mark[0] ^ _mark[1]) != 1) return inner;
        _kept = _end;
        var encoding = _mark[0] == 0xFF ? Encoding.Unicode : Encoding.BigEndianUnicode;
        return Encoding.CreateTranscodingStream(inner, encoding, Encoding.UTF8, leaveOpen: true);
    }

    private void Fill(int count)
    {
        while (_end < count && inner.Read(_mark, _end, count - _end) is var length and > 0) _end += length;
    }
}
