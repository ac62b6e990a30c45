using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>Sends a <see cref="Pattern"/> in random pieces as fast as the link takes it, and never again after a short send until told that it may.</summary>
public sealed class PatternSender
{
    private readonly LinkProbe _probe;
    private readonly Pattern _pattern;
    private readonly Random _random;
    private readonly long _total;
    private readonly byte[] _piece;
    private long _sent;
    private int _turns;

    public PatternSender(LinkProbe probe, int seed, long total, int largestPiece)
    {
        _probe = probe;
        _pattern = new Pattern(seed);
        _random = new Random(seed);
        _total = total;
        _piece = new byte[largestPiece];
    }

    /// <summary>Sends that accepted less than given.</summary>
    public long ShortSends { get; private set; }

    /// <summary>Whether to end the sending direction behind the last byte.</summary>
    public bool ShutsDown { get; init; }

    /// <summary>What was wrong, if anything was.</summary>
    public string? Fault { get; private set; }

    public Signal Done { get; } = new("the last byte of the pattern was accepted");

    /// <summary>Goes on sending: once to begin, then at every OnWritable, which may come on another thread before a Send has returned.</summary>
    public void Go()
    {
        if (Interlocked.Increment(ref _turns) > 1) return; // whoever is sending takes one more turn
        do SendUntilShort();
        while (Interlocked.Decrement(ref _turns) > 0);
    }

    /// <summary>Up to as many pieces as a link takes at once, none of them empty.</summary>
    private ReadOnlyMemory<byte>[] Cut(int length)
    {
        var ends = Enumerable.Range(0, _random.Next(Link.MaxPieces)).Select(_ => _random.Next(1, length + 1)).Append(length).Distinct().Order().ToArray();
        return [.. ends.Select((end, index) => (ReadOnlyMemory<byte>)_piece.AsMemory((index == 0 ? 0 : ends[index - 1])..end))];
    }

    private void SendUntilShort()
    {
        while (_sent < _total)
        {
            int length = (int)Math.Min(_random.Next(1, _piece.Length + 1), _total - _sent);
            var piece = _piece.AsSpan(0, length);
            _pattern.Fill(piece, _sent);
            int accepted = _random.Next(2) == 0 ? _probe.Send(piece) : _probe.SendPieces(Cut(length));
            piece.Fill(0xDB); // they are ours again: the link must not look at them any more
            if (accepted < 0 || accepted > length) Fault ??= $"{accepted} of {length} bytes were accepted";
            _sent += accepted;
            if (accepted == length) continue;
            ShortSends++;
            return;
        }

        if (Done.IsSet) return;
        Done.Set();
        if (ShutsDown) _probe.ShutdownSend();
    }
}
