using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Ordering;

/// <summary>A connection to a server with one ordered method, and its calls by their numbers. A request is a byte with the key, and the number.</summary>
internal sealed class OrderClient
{
    private const int MostOpen = 40;

    private readonly Dictionary<int, uint> _generations = [];
    private readonly Dictionary<int, CallId> _open = []; // by number
    private readonly Queue<(int Number, CallId Id, byte[] Body)> _partial = new();
    private int _count;

    public OrderClient(int number)
    {
        Number = number;
        Peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = Work });
    }

    public int Number { get; }

    public ManualWork Work { get; } = new();

    public ScriptedPeer Peer { get; }

    /// <summary>How the calls have ended, by their numbers. None ends twice.</summary>
    public Dictionary<int, MuxStatus> Answers { get; } = [];

    /// <returns>The number of the call; null if too many are open.</returns>
    public int? Send(int key, bool hasDeadline, bool isWhole)
    {
        Read();
        if (_open.Count >= MostOpen) return null;
        int number = _count++, slot = Enumerable.Range(1, MostOpen).First(slot => !_open.Values.Any(id => id.Slot == slot));
        uint generation = _generations[slot] = _generations.GetValueOrDefault(slot) + 1;
        var id = new CallId(slot, generation);
        byte[] body = [(byte)key, .. BitConverter.GetBytes(number)];
        _open.Add(number, id);
        if (!isWhole)
        {
            Peer.Begin(FrameKind.Request, id, body.Length, [0, 0, 0, 0]);
            _partial.Enqueue((number, id, body));
        }
        else if (hasDeadline)
        {
            Peer.SendFrame(FrameKind.Request, id, [0, 0, (byte)RequestOptions.Deadline, 0, 0x10, 0x27, 0, 0, .. body]); // 10 ms
        }
        else
        {
            Peer.Request(id, 0, body);
        }

        return number;
    }

    /// <summary>Sends the last fragment of a request that is not whole.</summary>
    /// <returns>The number of the call; null if all are whole.</returns>
    public int? Finish()
    {
        if (!_partial.TryDequeue(out var partial)) return null;
        Peer.Continue(FrameKind.Request, partial.Id, partial.Body, isLast: true);
        return partial.Number;
    }

    /// <summary>Cancels one of the calls that are whole and not answered.</summary>
    /// <param name="pick">Says which.</param>
    /// <returns>The number of the call; null if there is none.</returns>
    public int? Cancel(int pick)
    {
        Read();
        var whole = _open.Keys.Where(number => !_partial.Any(partial => partial.Number == number)).Order().ToList();
        if (whole.Count == 0) return null;
        int cancelled = whole[pick % whole.Count];
        Peer.SendFrame(FrameKind.Cancel, _open[cancelled], [0]);
        return cancelled;
    }

    public void End()
    {
        Peer.End();
        Work.RunAll();
    }

    /// <summary>Learns which calls are answered.</summary>
    public void Read()
    {
        foreach (var frame in Peer.ReadAll().Where(static frame => frame.Kind is FrameKind.Response or FrameKind.Fail))
        {
            int number = _open.Single(call => call.Value == frame.Id).Key;
            _open.Remove(number);
            var status = MuxStatus.Ok;
            if (frame.Kind == FrameKind.Fail && FailFrame.TryRead(frame.Payload, out var failure, out _)) status = (MuxStatus)failure.Status;
            Answers.Add(number, status);
        }
    }
}
