using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <summary>
/// A connection on which the client has made its first calls: two of Wait, and one of Task, whose reply tells it what to do with them. This side accepts three
/// concurrent calls, so that the next one uses the slot that the reply freed. It accepts one more if a stream is opened, so that the call after it does not
/// wait: a waiting call may move to the client's next connection.
/// </summary>
internal sealed class ClientSubject(SpecWire wire) : SpecSubject(wire)
{
    private static readonly CallId s_cancelled = new(2, 1), s_task = new(3, 1), s_next = new(3, 2), s_last = new(4, 1);

    private readonly ClientSlots _slots = new() { Limit = MaxCalls(ownStream: true) };
    private readonly HashSet<int> _open = [];
    private readonly Dictionary<ushort, string> _methods = [];
    private string _next = ClientTask.Method; // method that it calls after its task
    private SpecFailure? _failure; // from calls that arrived before they were awaited
    private bool _isOpening;
    private bool _isOpen;

    /// <summary>Setting 3 of this side.</summary>
    public static int MaxCalls(bool ownStream) => ownStream ? 4 : 3;

    public override void OnFrame(SpecFrame frame)
    {
        if (_isOpen || _failure is not null) return; // the input of a case may end calls
        _failure = Judge(frame);
        if (_isOpening && _failure is { } failure) throw failure;
    }

    public override async Task OpenCallsAsync(SpecScene scene, bool withStream)
    {
        _isOpening = true;
        _slots.Limit = MaxCalls(withStream);
        _next = withStream ? SpecMethods.Both : ClientTask.Method;
        scene.BeginOpening($"the client's first calls: {SpecMethods.Wait}, {SpecMethods.Wait}, {ClientTask.Method}");
        if (_failure is { } early) throw early;
        await scene.ReadUntilSeenAsync(frame => frame.Kind == FrameKind.Request && frame.Id == s_task).ConfigureAwait(false);
        var task = new ClientTask(withStream ? ClientTask.Both : ClientTask.Cancel);
        scene.BeginOpening("CANCEL of its second call", $"the task '{task}'");
        _open.Remove(s_task.Slot);
        await scene.Wire.SendAsync(Raw.Frame(FrameKind.Response, s_task, task.ToBytes()), scene.Deadline).ConfigureAwait(false);
        await scene.ReadUntilSeenAsync(frame => frame.Kind == FrameKind.Cancel && frame.Id == s_cancelled).ConfigureAwait(false);
        scene.Await($"its call of {_next} in slot {s_next.Slot}, generation {s_next.Generation}");
        await scene.ReadUntilSeenAsync(frame => frame.Kind == FrameKind.Request && frame.Id == s_next).ConfigureAwait(false);
        if (withStream)
        {
            scene.Await($"its next call of {ClientTask.Method}");
            await scene.ReadUntilSeenAsync(frame => frame.Kind == FrameKind.Request && frame.Id == s_last).ConfigureAwait(false);
        }

        _isOpen = true;
    }

    private SpecFailure? Judge(SpecFrame frame)
    {
        if (frame.Kind == FrameKind.Define && !frame.Has(FrameFlags.Answer))
        {
            var (ordinal, name) = ClientConnection.ReadDefinition(frame);
            _methods[ordinal] = name;
        }

        if (frame.Kind == FrameKind.Hello && _isOpening) return new SpecFailure("a second HELLO");
        if (frame.Kind != FrameKind.Request) return null;
        try
        {
            var method = MethodOf(frame);
            if (ExpectedIn(frame.Id) is { } expected && expected != method) return new SpecFailure(
                $"a call of {method} in slot {frame.Id.Slot}, generation {frame.Id.Generation}, where {expected} has to be")
            {
                IsByChance =
                IsChance(frame.Id)
            };
            _slots.Open(frame.Id, isTaken: !_open.Add(frame.Id.Slot));
            return null;
        }
        catch (SpecFailure failure)
        {
            return failure;
        }
    }

    /// <summary>True if the client may use a new slot instead of the one that was freed.</summary>
    private bool IsChance(CallId id) => _next == SpecMethods.Both && (id == s_next || id == s_last);

    private string? ExpectedIn(CallId id)
    {
        if (id == s_next) return _next;
        if (id == s_last) return ClientTask.Method;
        return id == s_task ? ClientTask.Method : id.Generation == 1 && id.Slot < s_task.Slot ? SpecMethods.Wait : null;
    }

    private string MethodOf(SpecFrame request)
    {
        if (!RequestHead.TryRead(request.Payload, out var head, out var violation)) throw new SpecFailure($"a REQUEST that breaks a rule: {violation!.Text}");
        return _methods.GetValueOrDefault(head.Ordinal) ?? "a method that is not defined";
    }
}
