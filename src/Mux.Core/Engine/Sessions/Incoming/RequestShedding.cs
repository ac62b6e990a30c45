using Mux.Protocol;

namespace Mux.Engine;

/// <summary>Refuses requests of one connection that an overloaded server does not take, before anything of them is decoded. Turn only.</summary>
internal sealed class RequestShedding(Session session, Acceptor acceptor, PeerBudgets budgets)
{
    /// <summary>
    /// Places of calls without a trace follow each other in these steps, the golden section of 256 and odd: any share of them is taken evenly, whatever the ids
    /// of the calls are.
    /// </summary>
    private const byte Step = 159;

    /// <summary>Spreads trace ids, whose last bytes are random by W3C Trace Context, level 2, but need not be of every tracer.</summary>
    private const ulong Spread = 0x9E37_79B9_7F4A_7C15;

    private const string Text = "The server is overloaded: work waits for its threads longer than MaxQueueTime allows.";

    private readonly AdmissionGate _gate = session.Options.Shared?.Admission ?? AdmissionGate.Open;
    private byte _place;

    /// <summary>True if the server does not take all requests.</summary>
    public bool IsActive => _gate.IsCutting;

    /// <inheritdoc cref="AdmissionGate.Delay"/>
    public long Delay => _gate.Delay;

    /// <summary>Refuses a request, if the server does not take it. Asked while <see cref="IsActive"/>.</summary>
    /// <param name="call">The call, whose slot is open.</param>
    /// <param name="violation">The rule that the peer breaks by it, or null.</param>
    /// <returns>True if it is answered.</returns>
    public bool TryRefuse(in InboundCall call, out ProtocolViolation? violation)
    {
        violation = null;
        _place += Step;
        byte place = call.Extras?.Trace is { } trace ? PlaceOf(trace) : _place;
        if (_gate.Admits(call.Priority, place)) return false;
        budgets.NoteRefused();
        session.Options.Shared!.Refused(PeerLimit.QueueTime);
        violation = acceptor.Refuse(call, MuxStatus.ResourceExhausted, Text, _gate.RetryAfterMilliseconds(_place));
        return true;
    }

    /// <summary>The place of all calls of a trace, at every server.</summary>
    public static byte PlaceOf(in TraceContext trace) => (byte)(((trace.TraceIdHigh ^ trace.TraceIdLow) * Spread) >> 56);
}
