using Mux.Protocol;

namespace Mux.Core.Tests.Simulation;

/// <summary>
/// Reads along what one side sends, whole frames as they become complete, and checks them against PROTOCOL.md without knowing anything of the implementation but its frames.
/// Each direction has one; they look at each other.
/// </summary>
internal sealed class WireObserver(string name, PeerSettings receiver)
{
    private readonly List<byte> _unread = [];
    private readonly Dictionary<int, SentCall> _calls = []; // by slot
    private readonly HashSet<(FrameKind, CallId)> _unfinished = [];
    private bool _prefaceSeen, _helloSeen, _errorSent, _acknowledged;
    private int _drains, _defined, _pings;

    /// <summary>The observer of the other direction.</summary>
    public WireObserver Other { get; set; } = null!;

    /// <summary>Calls whose REQUEST was sent here and whose terminal frame was not sent there.</summary>
    public int OpenCalls => _calls.Values.Count(call => call.IsOpen);

    public bool IsWhole => _unread.Count == 0;

    public void OnSent(ReadOnlySpan<byte> bytes)
    {
        _unread.AddRange(bytes);
        if (!_prefaceSeen)
        {
            if (_unread.Count < Preface.Size) return;
            Check(Preface.Bytes.SequenceEqual(_unread.Take(Preface.Size).ToArray()), "begins with something else than the preface");
            _unread.RemoveRange(0, Preface.Size);
            _prefaceSeen = true;
        }

        var all = _unread.ToArray();
        int read = 0;
        while (FrameReader.Read(all.AsSpan(read), receiver.MaxFramePayload, out var header, out var violation) is var result && result != FrameReadResult.Incomplete)
        {
            Check(result == FrameReadResult.Frame, $"breaks a rule: {violation?.Text}");
            OnFrame(header, all.AsSpan(read + FrameHeader.Size, header.Length));
            read += FrameHeader.Size + header.Length;
        }

        _unread.RemoveRange(0, read);
    }

    private void OnFrame(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        Check(!_errorSent, $"goes on with {header} after a GOAWAY that ended the connection");
        Check(_helloSeen != (header.Kind == FrameKind.Hello) || (header.Kind == FrameKind.GoAway && !_helloSeen), $"has {header} in the wrong place of the handshake");
        switch (header.Kind)
        {
            case FrameKind.Hello: _helloSeen = true; break;
            case FrameKind.Define: OnDefine(payload); break;
            case FrameKind.Request when Continues(header): break;
            case FrameKind.Request: OnRequest(header.Id, payload); break;
            case FrameKind.Cancel: OnCancel(header.Id); break;
            case FrameKind.Response when Continues(header) && (header.Flags & FrameFlags.More) != 0: break;
            case FrameKind.Response or FrameKind.Fail: OnAnswer(header); break;
            case FrameKind.Ping: OnPing(header.Flags); break;
            case FrameKind.GoAway: OnGoAway(header.Flags, payload); break;
        }
    }

    /// <summary>Whether a frame is not the first of its message.</summary>
    private bool Continues(FrameHeader header)
    {
        bool continues = _unfinished.Contains((header.Kind, header.Id));
        if ((header.Flags & FrameFlags.More) != 0) _unfinished.Add((header.Kind, header.Id));
        else _unfinished.Remove((header.Kind, header.Id));
        return continues;
    }

    private void OnAnswer(FrameHeader header)
    {
        if ((header.Flags & FrameFlags.More) != 0) return;
        _unfinished.Remove((FrameKind.Response, header.Id)); // a failure may end a reply that was begun
        Other.OnTerminal(header.Id);
    }

    private void OnDefine(ReadOnlySpan<byte> payload)
    {
        Check(DefineFrame.TryRead(payload, out var define, out _) && define.Ordinal == _defined, $"defines an ordinal that is not {_defined}");
        Check(++_defined <= receiver.MaxOrdinals, "defines more methods than the receiver takes");
    }

    private void OnRequest(CallId id, ReadOnlySpan<byte> payload)
    {
        Check(!_acknowledged, $"has REQUEST {id} after it acknowledged a drain");
        Check(id.Slot <= receiver.MaxCalls, $"has REQUEST {id} in a slot above {receiver.MaxCalls}");
        Check(RequestHead.TryRead(payload, out var head, out _) && head.Ordinal < _defined, $"has REQUEST {id} of an undefined method");
        bool known = _calls.TryGetValue(id.Slot, out var last);
        Check(known || id.Slot == _calls.Count + 1, $"opens slot {id.Slot} as new slot number {_calls.Count + 1}");
        Check(!last.IsOpen, $"has REQUEST {id} in a slot that was not answered");
        Check(id.Generation == (last.Generation + 1 & CallId.GenerationMask), $"has REQUEST {id} behind generation {last.Generation}");
        _calls[id.Slot] = new SentCall(id.Generation, IsOpen: true, IsCancelled: false);
    }

    private void OnCancel(CallId id)
    {
        Check(_calls.TryGetValue(id.Slot, out var call) && call.Generation == id.Generation, $"cancels {id}, which is not the last call of its slot");
        Check(!call.IsCancelled, $"cancels {id} twice");
        _unfinished.Remove((FrameKind.Request, id));
        _calls[id.Slot] = call with { IsCancelled = true };
    }

    private void OnTerminal(CallId id)
    {
        Check(_calls.TryGetValue(id.Slot, out var call) && call.Generation == id.Generation && call.IsOpen, $"gets a terminal frame for {id}, which is not open");
        _calls[id.Slot] = call with { IsOpen = false };
    }

    private void OnPing(FrameFlags flags)
    {
        if (flags == FrameFlags.None) _pings++;
        else Check(--Other._pings >= 0, "answers a PING that was not sent");
    }

    private void OnGoAway(FrameFlags flags, ReadOnlySpan<byte> payload)
    {
        if (flags == FrameFlags.Answer)
        {
            Check(Other._drains == 1 && !_acknowledged, "acknowledges a drain that was not announced, or twice");
            _acknowledged = true;
            return;
        }

        Check(GoAwayFrame.TryRead(payload, out var goAway, out _), "has a malformed GOAWAY");
        if (goAway.Code is ConnectionCode.Draining or ConnectionCode.IdleTimeout) Check(++_drains == 1, "announces a drain twice");
        else _errorSent = true;
    }

    private void Check(bool holds, string what) => Assert.True(holds, $"The stream {name} {what}.");

    private readonly record struct SentCall(uint Generation, bool IsOpen, bool IsCancelled);
}
