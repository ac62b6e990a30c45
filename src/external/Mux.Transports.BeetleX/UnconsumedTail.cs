using System.Buffers;

namespace Mux.Transports.BeetleX;

/// <summary>Keeps the bytes that a handler left, and delivers them in one piece with the next bytes. One thread at a time.</summary>
internal sealed class UnconsumedTail
{
    private byte[]? _array;
    private int _start;
    private int _end;

    /// <summary>Delivers the kept bytes followed by the arrived bytes, and keeps the rest.</summary>
    /// <returns>False if the handler claims to have consumed more than it was given, or leaves more than a link may keep.</returns>
    public bool TryDeliver(ILinkHandler handler, ReadOnlySpan<byte> arrived)
    {
        int consumed;
        if (_start == _end)
        {
            consumed = handler.OnReceived(arrived);
            if (!IsSound(consumed, arrived.Length)) return false;
            Keep(arrived[consumed..]);
            return true;
        }

        Append(arrived);
        consumed = handler.OnReceived(_array.AsSpan(_start, _end - _start));
        if (!IsSound(consumed, _end - _start)) return false;
        _start += consumed;
        if (_start == _end) Release();
        return true;
    }

    /// <summary>Releases the memory and the kept bytes.</summary>
    public void Release()
    {
        if (_array is { } array) ArrayPool<byte>.Shared.Return(array);
        _array = null;
        _start = _end = 0;
    }

    private static bool IsSound(int consumed, int given) => (uint)consumed <= (uint)given && given - consumed <= Link.MaxUnconsumedBytes;

    private void Keep(ReadOnlySpan<byte> tail)
    {
        if (tail.IsEmpty) return;
        Append(tail);
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        int length = _end - _start;
        if (_array is null || _array.Length - _end < bytes.Length)
        {
            var larger = ArrayPool<byte>.Shared.Rent(length + bytes.Length);
            _array.AsSpan(_start, length).CopyTo(larger);
            Release();
            _array = larger;
            _end = length;
        }

        bytes.CopyTo(_array.AsSpan(_end));
        _end += bytes.Length;
    }
}
